import Foundation
public import NetKit

extension Endpoint {
    /// An endpoint without a network, whose requests are answered by the routes of a new ``StubTransport``.
    ///
    /// ```swift
    /// let endpoint = Endpoint.stub { $0.on(.get, "/users/1") { _ in .json(User(id: 1)) } }
    /// ```
    ///
    /// Its base URL is `https://stub.invalid`, a name that no network has (RFC 2606). To look at the requests, keep the
    /// transport: make it yourself and give it to an endpoint.
    ///
    /// - Parameter addRoutes: Adds the routes.
    /// - Returns: The endpoint.
    public static func stub(_ addRoutes: (StubTransport) -> Void) -> Endpoint {
        let transport = StubTransport()
        addRoutes(transport)
        var address = URLComponents()
        (address.scheme, address.host) = ("https", "stub.invalid")
        // These parts always make a URL.
        return Endpoint(baseURL: address.url ?? URL(filePath: "/"), transport: transport)
    }
}
