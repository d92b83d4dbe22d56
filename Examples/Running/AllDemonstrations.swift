/// Demonstrations of one topic.
struct DemonstrationGroup {
    let topic: String
    let demonstrations: [any Demonstration]
}

/// All demonstrations by topic, in suggested reading order.
let demonstrationGroups = [
    DemonstrationGroup(
        topic: "Quick start",
        demonstrations: [
            GetDemonstration(),
            LoginDemonstration(),
            ListDemonstration(),
            DefaultHeadersDemonstration(),
            MultipartDemonstration(),
            ServerErrorsDemonstration(),
        ]
    ),
    DemonstrationGroup(
        topic: "Describe a request",
        demonstrations: [
            DefaultRequestDemonstration(),
            QueryDemonstration(),
            ParametersDemonstration(),
            FormDemonstration(),
            ModuleDemonstration(),
        ]
    ),
    DemonstrationGroup(
        topic: "Read a response",
        demonstrations: [
            StatusDemonstration(),
            DecoderDemonstration(),
            GraphQLDemonstration(),
        ]
    ),
    DemonstrationGroup(
        topic: "Transfer files and streams",
        demonstrations: [
            UploadDemonstration(),
            DownloadDemonstration(),
            FeedDemonstration(),
            ModelDemonstration(),
            LinesDemonstration(),
            PagesDemonstration(),
            PollingDemonstration(),
        ]
    ),
    DemonstrationGroup(
        topic: "Handle failures",
        demonstrations: [
            RetryDemonstration(),
            InterceptorsDemonstration(),
            TimeoutsDemonstration(),
            CancellationDemonstration(),
            RedirectsDemonstration(),
        ]
    ),
    DemonstrationGroup(
        topic: "Keep a session",
        demonstrations: [
            BasicAuthDemonstration(),
            TokenDemonstration(),
            RefreshDemonstration(),
            SigningDemonstration(),
            CookiesDemonstration(),
            CacheDemonstration(),
        ]
    ),
    DemonstrationGroup(
        topic: "Observe calls",
        demonstrations: [
            HandlersDemonstration(),
            DebuggingDemonstration(),
            LoggingDemonstration(),
            MetricsDemonstration(),
        ]
    ),
    DemonstrationGroup(
        topic: "Test",
        demonstrations: [
            LintDemonstration(),
            StubDemonstration(),
            FaultsDemonstration(),
            ReplayDemonstration(),
        ]
    ),
]

/// All demonstrations, in the order of their groups.
let allDemonstrations = demonstrationGroups.flatMap(\.demonstrations)

extension Demonstration {
    /// The file with the demonstration and, in the quick start, with its request.
    var source: String {
        let isQuickStart = demonstrationGroups[0].demonstrations.contains { $0.name == name }
        return "Examples/Demonstrations/\(isQuickStart ? "QuickStart/" : "")\(Self.self).swift"
    }
}
