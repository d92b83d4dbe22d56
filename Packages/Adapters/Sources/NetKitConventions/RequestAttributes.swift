package import Foundation
package import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request in the words of OpenTelemetry's semantic conventions for HTTP clients.
package struct RequestAttributes: Hashable, Sendable {
    /// The methods that stand for themselves; any other one is `_OTHER`.
    private static let methods: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
    ]

    /// `http.request.method`: the method, `_OTHER` for one that the conventions do not list.
    package let method: String
    /// `http.request.method_original`: the method, where ``method`` is `_OTHER`; else nil.
    package let originalMethod: String?
    /// `server.address`: the host, in lower case; empty without one.
    package let address: String
    /// `server.port`: the port of the URL, else that of its scheme.
    package let port: Int
    /// `url.full`: the URL without user, password, fragment and query values.
    package let url: String

    package init(_ request: EncodedRequest) {
        let method = Self.sentMethod(of: request)
        let isKnown = Self.methods.contains(method)
        self.method = isKnown ? method : "_OTHER"
        originalMethod = isKnown ? nil : method
        let url = request.url
        address = url.host?.lowercased() ?? ""
        port = url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80)
        self.url = Self.redacted(url)
    }

    /// The method as it is sent: `URLRequest` capitalizes some, such as `get`.
    private static func sentMethod(of request: EncodedRequest) -> String {
        guard case .custom(let token) = request.method else { return request.method.rawValue }
        return request.urlRequest.httpMethod ?? token
    }

    /// A URL without its secrets, as NetKit's log lines show it.
    package static func redacted(_ url: URL) -> String {
        // An encoded request without a body is described by its method and its redacted URL.
        String("\(EncodedRequest(url: url, method: .get))".dropFirst("GET ".count))
    }

    /// The name of a span: the method, and the template of the path where it is known.
    package func spanName(_ template: String?) -> String {
        let name = originalMethod == nil ? method : "HTTP"
        return template.map { "\(name) \($0)" } ?? name
    }
}
