import NetKitConventions

/// The dimensions of an exchange, all of few values.
struct ExchangeLabels: Hashable, Sendable {
    /// What is known before the request is sent.
    struct Server: Hashable, Sendable {
        let method: String
        let address: String
        let port: String

        /// Stands for all that are too many.
        static let other = Server(method: "_OTHER", address: "_OTHER", port: "")

        var dimensions: [(String, String)] {
            [
                ("http.request.method", method), ("server.address", address),
                ("server.port", port),
            ]
        }
    }

    let server: Server
    let template: String
    let request: String
    var status = ""
    var errorType = ""

    /// Stands for all that are too many.
    static let other = ExchangeLabels(server: .other, template: "", request: "")

    private init(server: Server, template: String, request: String) {
        self.server = server
        self.template = template
        self.request = request
    }

    init(_ request: RequestAttributes, _ template: String?, of name: String) {
        self.init(
            server: Server(
                method: request.method,
                address: request.address,
                port: "\(request.port)"
            ),
            template: template ?? "",
            request: name
        )
    }

    var dimensions: [(String, String)] {
        server.dimensions + [
            ("url.template", template), ("http.response.status_code", status),
            ("error.type", errorType), ("netkit.request", request),
        ]
    }
}
