package import Foundation
package import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request in the words of OpenTelemetry's semantic conventions for HTTP clients.
package struct RequestAttributes: Hashable, Sendable {
    /// The methods that stand for themselves; any other one is `_OTHER`.
    private static let methods = knownMethods(
        ProcessInfo.processInfo.environment["OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS"]
    )

    /// `http.request.method`: the method, `_OTHER` for one that isn't known.
    package let method: String
    /// `http.request.method_original`: the method, where ``method`` is `_OTHER`; else nil.
    package let originalMethod: String?
    /// `server.address`: the host of the `Host` field if there is one, else that of the URL, in lower case; empty without one.
    package let address: String
    /// `server.port`: the port after this host, else that of the URL's scheme.
    package let port: Int
    /// `url.full`: the URL without user, password, fragment and query values.
    package let url: String

    package init(_ request: EncodedRequest) {
        let method = Self.sentMethod(of: request)
        let isKnown = Self.methods.contains(method)
        self.method = isKnown ? method : "_OTHER"
        originalMethod = isKnown ? nil : method
        let url = request.url
        // It is there only if it replaces the URL's.
        let named = request.headers[.host]
            .flatMap { URL(string: "\(url.scheme ?? "http")://\($0)") }
        let server = URLOrigin(named?.host == nil ? url : named ?? url)
        (address, port) = (server.host, server.port)
        self.url = Self.redacted(url)
    }

    /// The methods that a list separated by commas names, in place of those that the conventions list.
    ///
    /// - Parameter list: The value of `OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS`. Nil or an empty one names none.
    /// - Returns: The methods, whose case counts.
    package static func knownMethods(_ list: String?) -> Set<String> {
        let named = (list ?? "").split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
        guard named.isEmpty else { return Set(named) }
        return [
            "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
        ]
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

/// The scheme, host and port of a URL, with the port of the scheme where the URL has none.
package struct URLOrigin: Hashable, Sendable {
    package let scheme: String
    package let host: String
    package let port: Int

    package init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}
