import NetKit

/// A part of a request that this transport can't send.
struct Unsupported: DescribedCause {
    /// The part and the way out, as one lower-case line.
    let what: String

    var description: String { "not supported by this transport: \(what)" }
}
