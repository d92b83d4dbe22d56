import Foundation

/// Collects a response in memory, up to a limit on the decompressed size.
struct BoundedResponse: Sendable {
    private(set) var head: ResponseHead?
    private(set) var body = Data()
    /// The maximum size of the body, in bytes.
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// The body's expected length in bytes, if the head states it.
    var expectedLength: Int64? { head?.bodyLength }

    mutating func receive(_ head: ResponseHead) {
        self.head = head
    }

    /// Appends bytes to the body.
    ///
    /// - Parameter data: The bytes to append.
    /// - Returns: Whether the bytes fit within the limit. If not, the body is unchanged.
    mutating func receive(_ data: Data) -> Bool {
        guard data.count <= limit - body.count else { return false }
        if body.isEmpty {
            body = data
            reserveExpectedLength(beyond: data.count)
        } else {
            body.append(data)
        }
        return true
    }

    /// Reserves capacity for the expected body, up to 1 MiB.
    ///
    /// The limit keeps a false length from claiming memory. Skips first chunks below 8 KiB, which are usually the whole
    /// body.
    private mutating func reserveExpectedLength(beyond count: Int) {
        guard count >= 8 << 10, let expectedLength, expectedLength > Int64(count) else { return }
        body.reserveCapacity(Int(min(expectedLength, Int64(limit), 1 << 20)))
    }
}
