import Foundation

/// How a response gets into a file: anew, or going on where an earlier attempt left off.
struct DownloadPlan: Sendable {
    /// The bytes behind a part of a known version.
    struct Rest: Sendable {
        let offset: Int64
        let version: StrongValidator
    }

    private let file: PartialFile
    private let queue: FileQueue
    private let resuming: Bool
    private let digest: ContentDigest?

    /// The plan of a request that is a download; nil for all others.
    init?(_ request: some Request, _ traits: RequestTraits) {
        guard traits.isDownload, let download = request as? any FileDownloading else { return nil }
        file = PartialFile(destination: download.file)
        queue = FileQueue.of(download.file.path)
        resuming = download.resuming
        digest = download.digest
    }

    /// Before the first attempt: finds out what would keep the file from being written.
    ///
    /// - Throws: ``DownloadFailure`` with what it is.
    func begin() async throws {
        try await queue.run { [file, resuming] in
            try file.check()
            if !resuming { try file.discard() }
        }
    }

    /// Asks for the rest only, where there is a part of a known version.
    ///
    /// Bytes are asked for as they are, since a range counts those that are sent.
    ///
    /// - Parameter request: The request, without `Range` as yet.
    /// - Returns: The request to send, and the rest that it asks for now; nil for the whole.
    /// - Throws: Nothing; the file is looked at where others may throw.
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

    /// What takes the response to one request.
    func sink(for rest: Rest?) -> FileSink {
        FileSink(file, rest, on: queue)
    }

    /// Puts what was received in its place, once all of it is written and right.
    ///
    /// - Parameters:
    ///   - head: The head of the response, nil where no whole one came.
    ///   - sink: What was to take the response.
    ///   - rest: What was asked for.
    /// - Returns: Whether the part did not fit the server's copy. It is forgotten then, and the whole is to be asked for.
    /// - Throws: ``DownloadFailure`` if the file could not be written, is not what it has to be, or is written by
    ///   somebody else.
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
