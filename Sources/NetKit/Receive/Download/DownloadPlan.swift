import Foundation

/// How a response gets into a file: anew, or going on where an earlier download left off.
struct DownloadPlan: Sendable {
    let file: PartialFile
    let resuming: Bool

    /// The plan of a request that is a download; nil for all others.
    init?(_ request: some Request, _ traits: RequestTraits) {
        guard traits.isDownload, let download = request as? any FileDownloading else { return nil }
        file = PartialFile(destination: download.file)
        resuming = download.resuming
    }

    /// Asks for the rest only, where there is a part of a known version.
    ///
    /// Bytes are asked for as they are, since a range counts those that are sent.
    ///
    /// - Parameter request: The request, without `Range` as yet.
    /// - Returns: What takes the response.
    func prepare(_ request: inout EncodedRequest) -> FileSink {
        if request.headers[.acceptEncoding] == nil {
            request.headers[.acceptEncoding] = "identity"
        }
        guard resuming, request.headers[.range] == nil, let (length, version) = file.resumable()
        else { return FileSink(file, resumingAt: 0) }
        request.headers[.range] = "bytes=\(length)-"
        request.headers[.ifRange] = version
        return FileSink(file, resumingAt: length)
    }

    /// Whether the part turned out not to fit the server's copy; it is forgotten then.
    func discardsPart(after status: HTTPStatus, of request: EncodedRequest) -> Bool {
        guard status == 416, request.headers[.ifRange] != nil else { return false }
        file.discard()
        return true
    }
}
