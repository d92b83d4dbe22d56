/// What the suites `upload` and `download` ask of a client.
protocol FileTransferring: Sendable {
    /// Sends the file, or fetches its content and puts it in its place.
    ///
    /// - Throws: When it fails, and when the answer's status is not 200 or a receipt is not for the
    ///   whole file.
    func transfer(_ file: TransferFile) async throws
}
