/// What can go wrong with a ``MockServer`` itself.
public enum MockServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server could not listen on the port; the reason is the system's text.
    case cannotListen(port: Int, reason: String)
    /// What a test waited for did not happen in the time it gave.
    case timedOut(waitingFor: String, after: Duration)
    /// The server was stopped while a test waited for something to happen on it.
    case stopped(waitingFor: String)

    /// One line that says what happened.
    public var description: String {
        switch self {
        case .cannotListen(let port, let reason):
            "cannot listen on port \(port) of 127.0.0.1: \(reason)"
        case .timedOut(let event, let duration):
            "waited \(duration) in vain for \(event)"
        case .stopped(let event):
            "the server was stopped before \(event)"
        }
    }
}
