import NetKit

/// An error for a part of a request that this transport can't send.
struct Unsupported: DescribedCause {
    /// The part and the usual remedy, as one lowercase line.
    let what: String

    var description: String { "not supported by this transport: \(what)" }
}
