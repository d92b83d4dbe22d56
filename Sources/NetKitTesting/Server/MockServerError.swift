import NetKit
import NetKitSupport

/// An error of a ``MockServer``.
public enum MockServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server couldn't listen on the port.
    ///
    /// The reason is the system's text.
    case cannotListen(port: Int, reason: String)
    /// An event didn't happen within the timeout.
    case timedOut(waitingFor: String, after: Duration)
    /// The server was stopped while a test waited for an event.
    case stopped(waitingFor: String)

    /// A description in one line.
    public var description: String {
        switch self {
        case .cannotListen(let port, let reason):
            "can't listen on port \(port) of 127.0.0.1: \(reason)"
        case .timedOut(let event, let duration):
            "\(event) did not happen within \(DurationText(duration))"
        case .stopped(let event):
            "the server was stopped before \(event)"
        }
    }
}
