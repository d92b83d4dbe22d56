import NetKit

/// The transports of this package, with the default first.
let allEngines: [Engine] = [
    Engine(name: "url-session") { Endpoint(baseURL: $0) }
]
