/// A value that can contain secrets and always prints as its redacted description.
///
/// This includes printing it inside another value, and with `dump`.
package protocol Concealed: CustomStringConvertible, CustomReflectable {}

extension Concealed {
    public var customMirror: Mirror {
        @inline(never)
        @_semantics("optimize.sil.specialize.generic.never")
        get { Mirror(self, children: ["description": description]) }
    }
}

/// A text with a type of its own, which is described by the text.
package protocol RawDescribed: CustomStringConvertible, RawRepresentable where RawValue == String {}

extension RawDescribed {
    public var description: String { rawValue }
}
