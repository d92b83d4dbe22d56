public import HTTPTypes
public import NetKit

extension HTTPTypes.HTTPResponse.Status {
    /// Creates the same status code, with its registered reason phrase.
    ///
    /// - Parameter status: The status. Nil is returned for a code that is not between 0 and 999.
    public init?(_ status: HTTPStatus) {
        guard (0...999).contains(status.rawValue) else { return nil }
        self.init(code: status.rawValue, reasonPhrase: status.reasonPhrase ?? "")
    }
}

extension HTTPStatus {
    /// Creates the same status code.
    ///
    /// The reason phrase stays behind; two statuses of HTTPTypes are equal without it, too.
    ///
    /// - Parameter status: The status.
    public init(_ status: HTTPTypes.HTTPResponse.Status) {
        self.init(rawValue: status.code)
    }
}

extension HTTPTypes.HTTPResponse {
    /// Creates the head of a response.
    ///
    /// - Parameter head: The head, as a `Transport` reports it.
    /// - Throws: ``HTTPConversionFailure`` for a status code or a header field that HTTPTypes can't hold as it is.
    public init(_ head: ResponseHead) throws(HTTPConversionFailure) {
        guard let status = Status(head.status) else { throw .status(head.status.rawValue) }
        self.init(status: status, headerFields: try HTTPFields(head.headers))
    }

    /// Creates the head of a response that NetKit has received.
    ///
    /// The body, the URL and the request stay behind.
    ///
    /// - Parameter response: The response.
    /// - Throws: ``HTTPConversionFailure`` for a status code or a header field that HTTPTypes can't hold as it is.
    public init(_ response: NetKit.HTTPResponse) throws(HTTPConversionFailure) {
        try self.init(ResponseHead(status: response.status, headers: response.headers))
    }
}

extension ResponseHead {
    /// Creates the same head, but for the reason phrase.
    ///
    /// - Parameter response: The head.
    public init(_ response: HTTPTypes.HTTPResponse) {
        self.init(
            status: HTTPStatus(response.status),
            headers: HTTPHeaders(response.headerFields)
        )
    }
}
