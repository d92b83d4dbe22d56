import NetKit
import NetKitCurl

/// The transports of this package, with the default first.
let allEngines: [Engine] = [
    Engine(name: "url-session") { Endpoint(baseURL: $0) },
    Engine(name: "curl") { Endpoint(baseURL: $0, transport: CurlTransport()) },
]
