/// The status line and the fields that come before a response's body.
public struct ResponseHead: Sendable {
    /// The status.
    public var status: HTTPStatus
    /// The fields.
    ///
    /// URLSession joins fields of one name by a comma and gives them in no fixed order.
    public var headers: HTTPHeaders

    /// Makes a head.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The fields. Defaults to none.
    public init(status: HTTPStatus, headers: HTTPHeaders = [:]) {
        self.status = status
        self.headers = headers
    }

    /// The body's length if it is known beforehand: announced, and not compressed.
    var bodyLength: Int64? {
        headers[.contentEncoding] == nil ? headers.contentLength : nil
    }
}
