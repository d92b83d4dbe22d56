extension HTTPHeaders {
    /// `Content-Length` of a response: how many bytes were sent, before decompression.
    var contentLength: Int64? {
        self[.contentLength].flatMap { $0.asciiNumber() }
    }
}
