/// What the suite `stream` asks of a client.
protocol StreamReading: Sendable {
    /// Reads a response of `count` elements to its end.
    ///
    /// - Returns: How many elements it had.
    /// - Throws: When it fails, and when an element is not the one that the server repeats.
    func read(_ content: StreamContent, count: Int) async throws -> Int
}
