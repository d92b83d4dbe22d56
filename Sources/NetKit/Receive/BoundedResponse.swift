import Foundation

/// Gathers a response in memory, up to a limit that counts bytes after decompression.
struct BoundedResponse: Sendable {
    private(set) var head: ResponseHead?
    private(set) var body = Data()
    /// The most bytes the body may have.
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// The body's length if it is known beforehand.
    var expectedLength: Int64? { head?.bodyLength }

    mutating func receive(_ head: ResponseHead) {
        self.head = head
    }

    /// Adds bytes.
    ///
    /// - Returns: Whether they are within the limit; if not, nothing was added.
    mutating func receive(_ data: Data) -> Bool {
        guard data.count <= limit - body.count else { return false }
        if body.isEmpty {
            body = data
            reserveWhatIsAnnounced(beyond: data.count)
        } else {
            body.append(data)
        }
        return true
    }

    /// Room for the whole body at once, though never more than 1 MiB on a server's word alone.
    ///
    /// A small first piece is most often the whole.
    private mutating func reserveWhatIsAnnounced(beyond count: Int) {
        guard count >= 8 << 10, let expectedLength, expectedLength > Int64(count) else { return }
        body.reserveCapacity(Int(min(expectedLength, Int64(limit), 1 << 20)))
    }
}
