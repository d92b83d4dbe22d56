import Foundation
import NetKit
import NetKitAsyncHTTPClient

/// An HTTP engine under NetKit.
enum Engine: String, Decodable {
    case urlSession = "urlsession"
    case asyncHTTPClient = "asynchttpclient"

    /// Creates a transport with the authorities of a PEM file, or the system's.
    func transport(authorities: String?) throws -> any Transport {
        switch self {
        case .urlSession:
            return URLSessionTransport()
        case .asyncHTTPClient:
            var configuration = AsyncHTTPClientTransport.Configuration()
            if let authorities {
                let pem = try Data(contentsOf: URL(fileURLWithPath: authorities))
                configuration.tls.roots = .only(try Certificates(pem: pem))
            }
            return AsyncHTTPClientTransport(configuration: configuration)
        }
    }
}
