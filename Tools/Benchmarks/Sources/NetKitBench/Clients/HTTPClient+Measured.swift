import AsyncHTTPClient
import NIOHTTPCompression

extension HTTPClient {
    /// A client that is never shut down: it lives as long as its process.
    ///
    /// Tracing is off, as in NetKit's transport: each span costs as much as a tenth of a call.
    ///
    /// - Parameters:
    ///   - decompresses: Whether bodies are decompressed.
    ///   - connections: The most connections to a host; nil for the default.
    /// - Returns: The client.
    static func measured(decompresses: Bool = false, connections: Int? = nil) -> HTTPClient {
        var configuration = Configuration()
        configuration.tracing.tracer = nil
        if decompresses { configuration.decompression = .enabled(limit: .none) }
        if let connections {
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        }
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }
}
