/// The one error of a call, the same through callbacks and `async`, one case per stage.
///
/// Every case that has a response carries it whole. Descriptions and the mirror show neither header
/// values nor bodies nor what was decoded of them; ``message`` is for people and may quote the
/// server's own words.
public enum ErrorResponse<ErrorType: ServerError>: Error {
    /// The status is not 2xx, and the body says why.
    case server(ErrorType, HTTPResponse)
    /// The status is not 2xx, and the body is something else than `ErrorType`.
    ///
    /// `underlying` is what ``Request/errorConverter`` or ``ServerError/decode(from:using:)`` threw.
    case undecodableServerError(HTTPResponse, underlying: any Error)
    /// The status is 2xx, but the body is not the value.
    ///
    /// `underlying` is a ``DecodingFailure`` if decoding failed, a ``ConversionFailure`` if a key path
    /// leads nowhere, and otherwise what the converter or the ``ResponseDecoding`` threw.
    case decoding(HTTPResponse, underlying: any Error)
    /// The request is not one that can be sent; nothing was sent.
    case invalidRequest(InvalidRequest)
    /// A deadline passed.
    case timeout(TimeoutPhase)
    /// The operation, or the task that awaited it, was cancelled.
    case cancelled
    /// No whole response arrived.
    case transport(TransportError)
    /// An interceptor, authentication or another closure of the caller's own threw.
    case interceptor(any Error)
}

extension ErrorResponse {
    /// The response, if a whole one arrived.
    public var response: HTTPResponse? {
        switch self {
        case .server(_, let response), .undecodableServerError(let response, _),
            .decoding(let response, _):
            response
        case .invalidRequest, .timeout, .cancelled, .transport, .interceptor: nil
        }
    }

    /// The status of the response as a number, if a whole one arrived.
    public var statusCode: Int? { response?.statusCode }

    /// What the server said went wrong, if it could be decoded.
    public var serverError: ErrorType? {
        guard case .server(let error, _) = self else { return nil }
        return error
    }

    /// What to tell a person: the server's own words if there are any, else NetKit's.
    ///
    /// One line. The server's words are cut off at 200 characters. Of an HTML page they are its title, of a text that is
    /// not the ``Request/ErrorType`` its first line, behind the status; any other body is not quoted. ``serverError``
    /// has the whole message.
    public var message: String {
        switch self {
        case .server(let error, let response):
            ServerWords.line(of: error.message) ?? StatusLine.text(of: response)
        case .undecodableServerError(let response, _): Self.message(of: response)
        case .decoding(_, let underlying):
            "the response could not be decoded: \(ErrorSummary.line(for: underlying))"
        case .invalidRequest(let invalid):
            "the request is invalid: \(ErrorSummary.line(for: invalid))"
        case .timeout(.idle): "the request timed out: nothing arrived for too long"
        case .timeout(.total): "the request timed out: it took too long in total"
        case .cancelled: "the request was cancelled"
        case .transport(let failure): failure.description
        case .interceptor(let underlying): ErrorSummary.line(for: underlying)
        }
    }

    private static func message(of response: HTTPResponse) -> String {
        let status = StatusLine.text(of: response)
        guard let words = ServerWords.line(in: response, readsAnyText: false) else { return status }
        return BoundedLine.text("\(status): \(words)")
    }
}
