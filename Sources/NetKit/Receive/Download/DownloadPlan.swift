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
    /// - Parameter request: The request, which has no `Range` field yet.
    /// - Returns: The request to send and the range it asks for, or nil for the whole file.
    /// - Throws: Nothing of its own. The file queue's `run(_:)` is declared to throw.
    func prepare(_ request: EncodedRequest) async throws -> (request: EncodedRequest, rest: Rest?) {
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
        request.headers[.range] = "bytes=\(offset)-"
        request.headers[.ifRange] = version.rawValue
        return (request, Rest(offset: offset, version: version))
    }

    /// Creates the sink for the response to one request.
    func sink(for rest: Rest?) -> FileSink {
        FileSink(file, rest, on: queue)
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
