import NetKit
import NetKitAsyncHTTPClient

// What the suites of this target run over: AsyncHTTPClient. All but this file are those of Adapters, where they run
// over URLSession.

/// The transport that the suites run over.
enum TransportUnderTest {
    /// Creates one.
    static func make() -> any Transport { AsyncHTTPClientTransport() }

    /// The HTTP version that it tells.
    static let httpVersion = "1.1"
}
