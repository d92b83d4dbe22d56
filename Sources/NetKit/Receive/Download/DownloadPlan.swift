/// How a response gets into a file: anew, or going on where an earlier attempt left off.
struct DownloadPlan: Sendable {
    /// The bytes behind a part of a known version.
    struct Rest: Sendable {
        let offset: Int64
        let version: StrongValidator
    }

    private let file: PartialFile
    private let resuming: Bool
    private let digest: ContentDigest?

    /// The plan of a request that is a download; nil for all others.
    init?(_ request: some Request, _ traits: RequestTraits) {
        guard traits.isDownload, let download = request as? any FileDownloading else { return nil }
        file = PartialFile(destination: download.file)
        resuming = download.resuming
        digest = download.digest
    }

    /// Before the first attempt: finds out what would keep the file from being written.
    func begin() throws(DownloadFailure) {
        try file.check()
        if !resuming { try file.discard() }
    }

    /// Asks for the rest only, where there is a part of a known version.
    ///
    /// Bytes are asked for as they are, since a range counts those that are sent.
    ///
    /// - Parameter request: The request, without `Range` as yet.
    /// - Returns: The rest that it asks for now; nil for the whole.
    func prepare(_ request: inout EncodedRequest) -> Rest? {
        if request.headers[.acceptEncoding] == nil {
            request.headers[.acceptEncoding] = "identity"
        }
        if let field = digest?.wantedField, request.headers[.wantReprDigest] == nil {
            request.headers[.wantReprDigest] = field
        }
        guard request.method == .get, request.headers[.range] == nil,
            let (offset, version) = file.resumable()
        else { return nil }
        request.headers[.range] = "bytes=\(offset)-"
        request.headers[.ifRange] = version.rawValue
        return Rest(offset: offset, version: version)
    }

    /// What takes the response to one request.
    func sink(for rest: Rest?) -> FileSink {
        FileSink(file, rest)
    }

    /// Whether the part turned out not to fit the server's copy; it is forgotten then.
    ///
    /// - Parameters:
    ///   - status: How the server answered, nil where no whole response came.
    ///   - sink: What was to take the response.
    ///   - rest: What was asked for.
    /// - Returns: Whether to ask for the whole.
    /// - Throws: ``DownloadFailure`` if somebody else writes the part.
    func startsOver(after status: HTTPStatus?, _ sink: FileSink, _ rest: Rest?) throws -> Bool {
        guard rest != nil, status == 416 || sink.mustStartOver else { return false }
        try file.discard()
        return true
    }

    /// Checks what was received and puts it in its place.
    func complete(_ head: ResponseHead, _ sink: FileSink) async throws {
        try await sink.complete(head, checking: digest)
    }
}
