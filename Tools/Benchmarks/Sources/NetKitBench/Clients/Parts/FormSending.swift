/// What the suite `parts` asks of a client.
protocol FormSending: Sendable {
    /// Sends the form once.
    ///
    /// - Throws: When it fails, and when the answer's status is not 200.
    func send() async throws -> UploadReceipt
}
