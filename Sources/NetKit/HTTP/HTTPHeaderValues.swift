extension HTTPHeaders {
    /// The `Content-Length` of a response, in bytes before decompression.
    var contentLength: Int64? {
        self[.contentLength].flatMap { $0.asciiNumber() }
    }
}
