/// What is known of a call so far.
struct CallSummary: Sendable {
    /// Method and address without secrets; empty for a request that was refused.
    var request = ""
    var method = ""
    var host = ""
    /// The status of the last response.
    var status: HTTPStatus?
    var attempts = 0
    /// Whether the call is over, so that nothing more is told of it.
    var isFinished = false
}
