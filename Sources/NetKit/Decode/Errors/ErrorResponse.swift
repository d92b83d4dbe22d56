import Foundation

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
            "the response can't be decoded: \(ErrorSummary.line(for: underlying))"
        case .invalidRequest(let invalid): ErrorSummary.line(for: invalid)
        case .timeout(let phase): phase.message
        case .cancelled: "the call was canceled"
        case .transport(let failure): failure.message
        case .interceptor(let underlying): ErrorSummary.line(for: underlying)
        }
    }

    private static func message(of response: HTTPResponse) -> String {
        let status = StatusLine.text(of: response)
        guard let words = ServerWords.line(in: response, readsAnyText: false) else { return status }
        return BoundedLine.text("\(status): \(words)")
    }
}

extension ErrorResponse {
    /// Why a ``DownloadRequest`` could not be written, if that is what went wrong.
    public var downloadFailure: DownloadFailure? {
        guard case .transport(let error) = self else { return nil }
        return error.underlying as? DownloadFailure
    }
}

extension ErrorResponse: CallError {
    /// Whether this is ``cancelled``, or what was thrown says so of itself.
    public var isCancellation: Bool {
        switch self {
        case .cancelled: true
        case .interceptor(let error as any CallError): error.isCancellation
        default: false
        }
    }

    /// Whether this is ``timeout(_:)``, or what was thrown says so of itself.
    public var isTimeout: Bool {
        switch self {
        case .timeout: true
        case .interceptor(let error as any CallError): error.isTimeout
        default: false
        }
    }

    /// Whether sending the same request again could succeed; see ``CallError/isTransient``.
    public var isTransient: Bool {
        switch self {
        case .server(_, let response), .undecodableServerError(let response, _):
            response.status.isTransient
        case .timeout: true
        case .transport(let error): error.isTransient
        case .interceptor(let error as any CallError): error.isTransient
        case .decoding, .invalidRequest, .cancelled, .interceptor: false
        }
    }

    /// The error that the case holds, if it holds one.
    public var underlyingError: (any Error)? {
        switch self {
        case .undecodableServerError(_, let error), .decoding(_, let error),
            .interceptor(let error):
            error
        case .invalidRequest(let error): error
        case .transport(let error): error
        case .server, .timeout, .cancelled: nil
        }
    }
}

extension ErrorResponse: Concealed {
    /// One line for logs: method, redacted URL, what failed and why, such as `GET https://host/path: 404 Not Found`.
    ///
    /// It has no header values, no body and none of the server's words.
    public var description: String {
        switch self {
        case .server(_, let response): "\(response.label): \(response.status)"
        case .undecodableServerError(let response, let underlying):
            "\(response.label): \(response.status); the body is not a \(ErrorType.self): "
                + ErrorSummary.line(for: underlying)
        case .decoding(let response, let underlying):
            "\(response.label): the response can't be decoded: \(ErrorSummary.line(for: underlying))"
        // Such as a refresh that failed, whose message has the server's words.
        case .interceptor(let underlying as any DescribedForLogs): underlying.description
        case .timeout(let phase): phase.line
        case .transport(let error): error.description
        case .invalidRequest, .cancelled, .interceptor: message
        }
    }
}

/// An error whose description, unlike its message, has none of the server's words.
private protocol DescribedForLogs: Error, CustomStringConvertible {}

extension ErrorResponse: DescribedForLogs {}

/// Any error as one line that can be shown.
enum ErrorSummary {
    /// The words of NetKit's own errors and of those with a localized description, else the type with its
    /// code or the enum's case: an unknown error's texts may hold anything.
    static func line(for error: any Error) -> String {
        let text =
            switch error {
            case let error as UnreadableText: error.description
            case let error as any LocalizedError: error.errorDescription ?? kind(of: error)
            case let error as any CustomNSError: "\(type(of: error)) \(error.errorCode)"
            default: kind(of: error)
            }
        return BoundedLine.text(text, maximum: 1000)
    }

    private static func kind(of error: any Error) -> String {
        let type = String(describing: Swift.type(of: error))
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return type }
        if let label = mirror.children.first?.label { return "\(type).\(label)" }
        // A case without a payload has nothing in its text but its name.
        return "\(type).\(error)"
    }
}

/// A status as a person reads it: `HTTP 404 Not Found`.
enum StatusLine {
    static func text(of response: HTTPResponse) -> String { "HTTP \(response.status)" }
}
