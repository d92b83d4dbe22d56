/// A HAR file that cannot be read or written.
public struct HARFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with it.
    package enum Kind: Hashable, Sendable {
        /// The file cannot be read.
        case unreadable
        /// The file cannot be written.
        case unwritable
        /// It is no JSON, or not that of a HAR file.
        case invalid
    }

    /// What is wrong with it.
    package let kind: Kind
    /// The file where there is one, and the place and what is wrong there.
    package let reason: String

    init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// One line.
    public var description: String {
        switch kind {
        case .unreadable: "the HAR file cannot be read: \(reason)"
        case .unwritable: "the HAR file cannot be written: \(reason)"
        case .invalid: "this is no HAR file: \(reason)"
        }
    }
}
