import NetKitConventions

/// Labels that have fewer values in each step, for the case that there are too many combinations.
protocol BoundedLabels: Hashable, Sendable {
    /// The last step, which has few values.
    static var lastStep: Int { get }

    /// The labels of a step. Those of step 0 are complete.
    func reduced(to step: Int) -> Self
}

/// The dimensions of an exchange, all of few values.
struct ExchangeLabels: Hashable, Sendable {
    /// What is known before the request is sent.
    struct Server: Hashable, Sendable {
        let method: String
        var address: String
        var port: String

        var dimensions: [(String, String)] {
            [
                ("http.request.method", method), ("server.address", address),
                ("server.port", port),
            ]
        }
    }

    private(set) var server: Server
    private(set) var template: String
    private(set) var request: String
    var status = ""
    var errorType = ""
    var version = ""

    init(_ request: RequestAttributes, _ template: String?, of name: String) {
        server = Server(
            method: request.method,
            address: request.address,
            port: "\(request.port)"
        )
        self.template = template ?? ""
        self.request = name
    }

    var dimensions: [(String, String)] {
        server.dimensions + [
            ("url.template", template), ("http.response.status_code", status),
            ("error.type", errorType), ("network.protocol.version", version),
            ("netkit.request", request),
        ]
    }
}

extension ExchangeLabels.Server: BoundedLabels {
    static var lastStep: Int { 1 }

    func reduced(to step: Int) -> Self {
        var server = self
        if step > 0 { (server.address, server.port) = ("_OTHER", "") }
        return server
    }
}

extension ExchangeLabels: BoundedLabels {
    static var lastStep: Int { 2 }

    /// First without what others choose, then without the status code, so that a failure remains one.
    func reduced(to step: Int) -> Self {
        var labels = self
        labels.server = server.reduced(to: step)
        if step > 0 { (labels.template, labels.request) = ("", "") }
        if step > 1 {
            (labels.status, labels.version) = ("", "")
            if !errorType.isEmpty { labels.errorType = "_OTHER" }
        }
        return labels
    }
}
