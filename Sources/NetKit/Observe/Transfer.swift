/// How far the bytes of a body have come, one way.
public struct Transfer: Hashable, Sendable {
    /// Which way the bytes go.
    public enum Direction: Hashable, Sendable {
        /// The request's body goes to the server.
        case upload
        /// A successful response's body comes from the server.
        case download
    }

    /// Which way the bytes go.
    public let direction: Direction
    /// How many bytes have gone.
    ///
    /// A download that was resumed counts those that it found, and an upload
    /// counts what was handed to the system; it begins anew with each attempt and redirect.
    public let count: Int64
    /// How many there will be; nil where it is not known, as with a compressed response.
    public let total: Int64?
    /// Bytes a second over the last three seconds; nil for the first 50 milliseconds.
    public let rate: Double?

    /// Between 0 and 1, and 1 for an empty body; nil where the total is not known.
    public var fraction: Double? {
        total.map { $0 > 0 ? min(1, Double(count) / Double($0)) : 1 }
    }

    /// How long the rest will take at this rate; nil where the total is not known, or nothing moves.
    public var timeLeft: Duration? {
        guard let total, let rate, rate > 0 else { return nil }
        let seconds = Double(max(0, total - count)) / rate
        return seconds < 1e9 ? .seconds(seconds) : nil
    }
}
