public import Foundation

extension ErrorResponse: LocalizedError {
    /// The same line as ``message``.
    public var errorDescription: String? { message }
}

extension ErrorResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One lower-case line for logs, without header values, bodies or the server's words:
    /// `server error: HTTP 404 from GET https://host/path (12 bytes)`.
    public var description: String {
        switch self {
        case .server(_, let response): "server error: \(response)"
        case .undecodableServerError(let response, let underlying):
            "server error: \(response), not decodable as \(ErrorType.self): "
                + ErrorSummary.line(for: underlying)
        case .decoding(let response, let underlying):
            "decoding failed: \(ErrorSummary.line(for: underlying)), in \(response)"
        // Such as a refresh that failed, whose message has the server's words.
        case .interceptor(let underlying as any DescribedForLogs): underlying.description
        case .invalidRequest, .timeout, .cancelled, .transport, .interceptor: message
        }
    }

    /// The same line as ``description``.
    public var debugDescription: String { description }

    /// What `dump` shows: the description alone.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description], displayStyle: .enum)
    }
}

/// An error whose description, unlike its message, has none of the server's words.
private protocol DescribedForLogs: Error, CustomStringConvertible {}

extension ErrorResponse: DescribedForLogs {}
