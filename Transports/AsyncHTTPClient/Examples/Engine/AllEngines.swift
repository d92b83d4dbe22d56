import NetKit
import NetKitAsyncHTTPClient

/// What there is in this package; the first one is used unless `--transport` names another.
let allEngines: [Engine] = [
    Engine(name: "url-session") { Endpoint(baseURL: $0) },
    Engine(name: "async-http-client") {
        Endpoint(baseURL: $0, transport: AsyncHTTPClientTransport())
    },
]
