import Foundation

/// Writes a download to its file, from the beginning or by resuming.
struct DownloadPlan: Sendable {
    /// The range that completes a partial file of a known version.
    struct Rest: Sendable {
        let offset: Int64
        let version: StrongValidator
    }

    private let file: PartialFile
    private let queue: FileQueue
    private let resuming: Bool
    private let digest: ContentDigest?

    /// Creates the plan of a download, or returns nil for any other request.
    init?(_ request: some Request, _ traits: RequestTraits) {
        guard traits.isDownload, let download = request as? any FileDownloading else { return nil }
        file = PartialFile(destination: download.file)
        queue = FileQueue.of(download.file.path)
        resuming = download.resuming
        digest = download.digest
    }

    /// Checks before the first attempt that the file can be written.
    ///
    /// - Throws: ``DownloadFailure`` if it can't.
    func begin() async throws {
        try await queue.run { [file, resuming] in
            try file.check()
            if !resuming { try file.discard() }
        }
    }

    /// Requests only the missing bytes if there is a partial file of a known version.
    ///
    /// It asks for the `identity` encoding, because a range counts the bytes on the wire.
    ///
    /// - Parameters:
    ///   - request: The request, without `Range` as yet.
    ///   - onRestart: Told why a part that is there is not resumed.
    /// - Returns: The request to send, and the rest that it asks for now; nil for the whole.
    /// - Throws: Nothing; the file is looked at where others may throw.
    func prepare(
        _ request: EncodedRequest,
        onRestart: @Sendable (DownloadRestart) -> Void
    ) async throws -> (request: EncodedRequest, rest: Rest?) {
        var request = request
        if request.headers[.acceptEncoding] == nil {
            request.headers[.acceptEncoding] = "identity"
        }
        if let field = digest?.wantedField, request.headers[.wantReprDigest] == nil {
            request.headers[.wantReprDigest] = field
        }
        guard request.method == .get, request.headers[.range] == nil,
            let (offset, version) = try await queue.run({ [file] in file.resumable() })
        else { return (request, nil) }
        guard let version else {
            onRestart(.unknownVersion)
            return (request, nil)
        }
        request.headers[.range] = "bytes=\(offset)-"
        request.headers[.ifRange] = version.rawValue
        return (request, Rest(offset: offset, version: version))
    }

    /// What takes the response to one request.
    func sink(
        for rest: Rest?,
        onRestart: @escaping @Sendable (DownloadRestart) -> Void = { _ in }
    ) -> FileSink {
        FileSink(file, rest, on: queue, onRestart: onRestart)
    }

    /// Moves the downloaded file to its destination once it is complete and verified.
    ///
    /// - Parameters:
    ///   - head: The response's head, or nil if no complete response arrived.
    ///   - sink: The sink that received the body.
    ///   - rest: The requested range, or nil for the whole file.
    /// - Returns: Whether the partial file didn't match the server's version. It is then removed, and the caller must
    ///   request the whole file.
    /// - Throws: ``DownloadFailure`` if the file couldn't be written, failed verification, or is in use by another
    ///   download.
    @inline(never)
    func finish(_ head: ResponseHead?, _ sink: FileSink, _ rest: Rest?) async throws -> Bool {
        try await sink.settle()
        if rest != nil, head?.status == 416 || sink.mustStartOver {
            try await queue.run { [file] in try file.discard() }
            return true
        }
        if let head { try await sink.complete(head, checking: digest) }
        return false
    }
}
