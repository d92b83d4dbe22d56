/// A text with a type of its own, which is described by the text.
package protocol RawDescribed: CustomStringConvertible, RawRepresentable where RawValue == String {}

extension RawDescribed {
    public var description: String { rawValue }
}
