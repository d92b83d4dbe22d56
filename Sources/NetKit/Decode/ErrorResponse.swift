import Foundation
import NetKitSupport

/// The error of a call, with one case per stage.
///
/// Handlers and `async` calls deliver the same error. Cases with a response carry all of it. Descriptions and the
/// mirror never show header values, bodies, or decoded content. ``message`` is for people and may quote the server.
public enum ErrorResponse<ErrorType: ServerError>: Error {
    /// The status code isn't 2xx, and the body is an `ErrorType`.
    // Indirect, so that the size of an error is known without its type.
    indirect case server(ErrorType, HTTPResponse)
    /// The status code isn't 2xx, and the body isn't a valid `ErrorType`.
    ///
    /// `underlying` is the error of ``Request/errorConverter`` or ``ServerError/decode(from:using:)``.
    case undecodableServerError(HTTPResponse, underlying: any Error)
    /// The status code is 2xx, but the body can't be decoded.
    ///
    /// `underlying` is a ``DecodingFailure`` if decoding failed, and a ``ConversionFailure`` if a key path has no node.
    /// Otherwise, it is the error of the converter or the ``ResponseDecoding``.
    case decoding(HTTPResponse, underlying: any Error)
    /// The request is invalid and wasn't sent.
    case invalidRequest(InvalidRequest)
    /// A timeout or deadline expired.
    case timeout(TimeoutPhase)
    /// The operation or its awaiting task was canceled.
    case cancelled
    /// No complete response arrived.
    case transport(TransportError)
    /// An interceptor, the authentication, or another closure of the caller threw.
    ///
    /// A token refresh that the server refuses is such an error: its ``message`` begins with "the token refresh
    /// failed". A refresh that reaches no server fails the call as ``transport(_:)`` or ``timeout(_:)``.
    case interceptor(any Error)
}

extension ErrorResponse {
    /// The response, if a complete one arrived.
    public var response: HTTPResponse? {
        switch self {
        case .server(_, let response), .undecodableServerError(let response, _),
            .decoding(let response, _):
            response
        case .invalidRequest, .timeout, .cancelled, .transport, .interceptor: nil
        }
    }

    /// The response's status, if a complete response arrived.
    public var status: HTTPStatus? { response?.status }

    /// The response's status code as an integer, if a complete response arrived.
    public var statusCode: Int? { response?.statusCode }

    /// The decoded server error, if there is one.
    public var serverError: ErrorType? {
        if case .server(let error, _) = self { error } else { nil }
    }

    /// A one-line message for people: the server's own words, or else NetKit's.
    ///
    /// The server's words are cut off at 200 characters. An HTML page contributes its title. Text that isn't the
    /// ``Request/ErrorType`` contributes its first line, after the status. Other bodies aren't quoted. If the server's
    /// message is empty, this is the status. For the complete message, use ``serverError``.
    public var message: String {
        switch self {
        case .server(let error, let response):
            response.message(Self.words(of: error, in: response) ?? StatusLine.text(of: response))
        case .undecodableServerError(let response, _):
            response.message(Self.message(of: response))
        case .decoding(let response, let underlying):
            response.message(
                "the response can't be decoded: "
                    + ((underlying as? any NamesForeignBody as? any CallError)?.message
                        ?? ErrorSummary.line(for: underlying))
            )
        case .invalidRequest(let invalid): ErrorSummary.line(for: invalid)
        case .timeout(let phase): phase.message
        case .cancelled: "the call was canceled"
        case .transport(let failure): failure.message
        case .interceptor(let underlying): ErrorSummary.line(forThrown: underlying)
        }
    }

    /// The words of a decoded error; nil if there are none.
    private static func words(of error: ErrorType, in response: HTTPResponse) -> String? {
        // The RFC lets a server leave out detail and title, and some put their words elsewhere.
        if let problem = error as? ProblemDetails, !problem.hasWords {
            if let line = ServerWords.line(in: response, readsAnyText: false) { return line }
        }
        return ServerWords.line(of: error.message)
    }

    private static func message(of response: HTTPResponse) -> String {
        let status = StatusLine.text(of: response)
        guard let words = ServerWords.line(in: response, readsAnyText: false),
            // Such as "404 - Page Not Found", which says no more.
            !ReasonPhrases.areRepeated(of: "\(response.status)", in: words)
        else { return status }
        return BoundedLine.text("\(status): \(words)")
    }

    /// The reason why a ``DownloadRequest`` couldn't write its file, if that is the failure.
    public var downloadFailure: DownloadFailure? {
        if case .transport(let error) = self { error.underlying as? DownloadFailure } else { nil }
    }
}

extension ErrorResponse: CallError {
    /// Whether this is ``cancelled``, or an interceptor's error that reports a cancellation.
    public var isCancellation: Bool {
        if case .cancelled = self { true } else { thrown?.isCancellation ?? false }
    }

    /// Whether this is ``timeout(_:)``, or an interceptor's error that reports a timeout.
    public var isTimeout: Bool {
        if case .timeout = self { true } else { thrown?.isTimeout ?? false }
    }

    /// Whether the same request could succeed later.
    ///
    /// See ``CallError/isTransient``.
    public var isTransient: Bool {
        switch self {
        case .server(_, let response), .undecodableServerError(let response, _):
            response.status.isTransient
        case .timeout: true
        case .transport(let error): error.isTransient
        case .interceptor: thrown?.isTransient ?? false
        case .decoding, .invalidRequest, .cancelled: false
        }
    }

    /// The error of an interceptor that knows what it is.
    private var thrown: (any CallError)? {
        if case .interceptor(let error as any CallError) = self { error } else { nil }
    }

    /// The associated error of the case, if any.
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
    /// One line for logs, such as `GET https://host/path: 404 Not Found`.
    ///
    /// It says what failed and why. It begins with the method and the redacted URL if they are known. NetKit adds no
    /// header values, no body and none of the server's words. An error of user code contributes its `errorDescription`.
    package var shown: String {
        switch self {
        case .server(_, let response): response.line(response.statusLine)
        case .undecodableServerError(let response, let underlying):
            response.line(
                "\(response.statusLine); the body doesn't decode as \(ErrorType.self): "
                    + Self.logLine(of: underlying)
            )
        case .decoding(let response, let underlying):
            response.line("the response can't be decoded: \(Self.logLine(of: underlying))")
        // Such as a refresh that failed, whose message has the server's words.
        case .interceptor(let underlying as any DescribedForLogs): underlying.description
        case .interceptor(let underlying as URLError) where underlying.place.isInRefresh:
            underlying.place.line(underlying.words)
        case .timeout(let phase): phase.line
        case .transport(let error): error.description
        case .cancelled, .invalidRequest, .interceptor: message
        }
    }

    private static func logLine(of error: any Error) -> String {
        (error as? any DescribedForLogs)?.description ?? ErrorSummary.line(for: error)
    }
}

/// An error whose description, unlike its message, never quotes the server.
package protocol DescribedForLogs: Error, CustomStringConvertible {}

extension ErrorResponse: DescribedForLogs {}

/// Formats any error as one safe line.
enum ErrorSummary {
    /// Returns the description of an error.
    ///
    /// Known and localized errors have their own text. For others, it is the type with its code or case name, because
    /// their text may contain secrets.
    static func line(for error: any Error) -> String {
        let text =
            switch error {
            // The messages of the last two may quote the title of a page.
            case is UnreadableText, is DecodingFailure, is ConversionFailure: "\(error)"
            case let error as URLError: error.words
            default: ErrorName.words(of: error)
            }
        return BoundedLine.text(text, maximum: 1000)
    }

    /// Returns the description of an error that the caller's code threw during a call.
    ///
    /// An error with words of its own needs no more. Of any other, it says where it came from.
    static func line(forThrown error: any Error) -> String {
        switch error {
        case let error as URLError where error.place.isInRefresh:
            error.place.message(error.words)
        case is UnreadableText: line(for: error)
        case let localized as any LocalizedError where localized.errorDescription != nil:
            line(for: error)
        default: "an interceptor, a refresh or a body threw \(line(for: error))"
        }
    }
}

/// Formats a status code for people, such as `HTTP 404 Not Found`.
enum StatusLine {
    static func text(of response: HTTPResponse) -> String { "HTTP \(response.status)" }
}
