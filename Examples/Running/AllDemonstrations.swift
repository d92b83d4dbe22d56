/// All demonstrations, in the order in which they are best read.
let allDemonstrations: [any Demonstration] = [
    LoginDemonstration(),
    ListDemonstration(),
    DefaultRequestDemonstration(),
    QueryDemonstration(),
    ParametersDemonstration(),
    ServerErrorsDemonstration(),
    StatusDemonstration(),
    DecoderDemonstration(),
    BasicAuthDemonstration(),
    MultipartDemonstration(),
    RetryDemonstration(),
    TimeoutsDemonstration(),
    CancellationDemonstration(),
    RedirectsDemonstration(),
    TokenDemonstration(),
]
