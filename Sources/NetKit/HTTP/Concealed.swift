/// A value that is described by a text of its own.
package protocol Described: CustomStringConvertible {
    /// The description.
    var shown: String { get }
}

extension Described {
    public var description: String { shown }
}

/// A value that can contain secrets and always prints as its redacted description.
///
/// This includes printing it inside another value, and with `dump`.
package protocol Concealed: Described, CustomReflectable {}

extension Concealed {
    public var customMirror: Mirror {
        @inline(never)
        @_semantics("optimize.sil.specialize.generic.never")
        get { Mirror(self, children: ["description": shown]) }
    }
}

/// A text with a type of its own, which is described by the text.
package protocol RawDescribed: Described, RawRepresentable where RawValue == String {}

extension RawDescribed {
    package var shown: String { rawValue }
}
