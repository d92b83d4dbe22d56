import NetKit

/// An error from reading or writing a HAR file.
public struct HARError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failures.
    package enum Kind: Hashable, Sendable {
        /// The file can't be read.
        case unreadable
        /// The file can't be written.
        case unwritable
        /// The content isn't JSON or isn't a HAR file.
        case invalid
    }

    /// The kind of failure.
    package let kind: Kind
    /// The file, if any, and the position and nature of the problem.
    package let reason: String

    init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// A one-line description.
    public var description: String {
        switch kind {
        case .unreadable: "can't read the HAR file: \(reason)"
        case .unwritable: "can't write the HAR file: \(reason)"
        case .invalid: "not a HAR file: \(reason)"
        }
    }
}
