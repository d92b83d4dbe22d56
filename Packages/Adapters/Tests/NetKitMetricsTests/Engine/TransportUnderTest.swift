import NetKit

// What the suites of this target run over: URLSession. The package AdapterEngines runs the same suites over
// AsyncHTTPClient, with another file in the place of this one.

/// The transport that the suites run over.
enum TransportUnderTest {
    /// Creates one.
    static func make() -> any Transport { URLSessionTransport() }

    /// The HTTP version that it tells.
    static let httpVersion = ""
}
