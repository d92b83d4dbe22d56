/// A request as it was sent last, and what came of it.
struct SentRequest: Sendable {
    var request: EncodedRequest
    var outcome: AttemptOutcome
    /// How long the last exchange took; nil where none began.
    var phases: ExchangePhases?
    /// How many bytes of the response went to a file or a reader; nil where it is in memory.
    var sunkLength: Int64?
    /// The response that ``Authentication`` failed to make good.
    var unrecovered: HTTPResponse?
}
