import Foundation

/// How one exchange with the server ended.
enum AttemptOutcome: Sendable {
    case response(ResponseHead, body: Data)
    case failed(TransportError)
    case idleTimeout
    case stopped(StopReason)
    /// An interceptor gave this response.
    case answered(HTTPResponse)
    /// Code of the user's own ended the attempt.
    case refused(CallFailure)
}
