import Foundation
import NetKit
import NetKitAsyncHTTPClient
import NetKitCurl

/// An HTTP engine under NetKit.
enum Engine: String, Decodable {
    case urlSession = "urlsession"
    case curl
    case asyncHTTPClient = "asynchttpclient"

    /// Creates a transport with the authorities of a PEM file, or the system's.
    func transport(authorities: String?) throws -> any Transport {
        let pem = try authorities.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        switch self {
        case .urlSession:
            return URLSessionTransport()
        case .curl:
            var configuration = CurlTransport.Configuration()
            if let pem { configuration.tls.roots = .only(pem) }
            return CurlTransport(configuration: configuration)
        case .asyncHTTPClient:
            var configuration = AsyncHTTPClientTransport.Configuration()
            if let pem { configuration.tls.roots = .only(try Certificates(pem: pem)) }
            return AsyncHTTPClientTransport(configuration: configuration)
        }
    }
}
