import NetKit
import NetKitAsyncHTTPClient
import NetKitCurl

/// The engines under test.
enum Engine: String, CaseIterable, Sendable {
    case urlSession = "urlsession"
    case curl
    case asyncHTTPClient = "asynchttpclient"

    var title: String {
        switch self {
        case .urlSession: "URLSession"
        case .curl: "NetKitCurl"
        case .asyncHTTPClient: "AsyncHTTPClient"
        }
    }

    func makeTransport() -> any Transport {
        switch self {
        case .urlSession: URLSessionTransport()
        case .curl: CurlTransport()
        case .asyncHTTPClient: AsyncHTTPClientTransport()
        }
    }

    /// Closes the connections of a transport, where it can be asked to.
    ///
    /// A session closes them when it is released.
    static func shutDown(_ transport: any Transport) async {
        await (transport as? AsyncHTTPClientTransport)?.shutdown()
        await (transport as? CurlTransport)?.shutdown()
    }
}
