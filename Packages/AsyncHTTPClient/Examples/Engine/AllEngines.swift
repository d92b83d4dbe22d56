import NetKit
import NetKitAsyncHTTPClient

/// The transports of this package, with the default first.
let allEngines: [Engine] = [
    Engine(name: "url-session") { Endpoint(baseURL: $0) },
    Engine(name: "async-http-client") {
        Endpoint(baseURL: $0, transport: AsyncHTTPClientTransport())
    },
]
