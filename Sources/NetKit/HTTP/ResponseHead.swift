/// The status and header fields of a response, which precede its body.
public struct ResponseHead: Sendable {
    /// The status code.
    public var status: HTTPStatus
    /// The header fields.
    ///
    /// URLSession joins fields of the same name with commas, and returns the fields in no particular order.
    public var headers: HTTPHeaders
    /// What the transport knows of the connection, or nil if it can't tell.
    public var connection: ConnectionFacts?

    /// Creates a response head.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields. Defaults to none.
    public init(status: HTTPStatus, headers: HTTPHeaders = [:]) {
        self.status = status
        self.headers = headers
    }

    /// The length of the body, if it is announced and not compressed.
    package var bodyLength: Int64? {
        headers[.contentEncoding] == nil ? headers.contentLength : nil
    }
}
