import Foundation
public import NetKit

extension Endpoint {
    /// Creates an endpoint that a new ``StubTransport`` answers, without a network.
    ///
    /// ```swift
    /// let endpoint = Endpoint.stub { $0.on(.get, "/users/1") { _ in .json(User(id: 1)) } }
    /// ```
    ///
    /// Its base URL is `https://stub.invalid` (RFC 2606). To check the requests, create the transport yourself and pass it to
    /// an endpoint.
    ///
    /// - Parameter addRoutes: A closure that adds the routes.
    /// - Returns: The endpoint.
    public static func stub(_ addRoutes: (StubTransport) -> Void) -> Endpoint {
        let transport = StubTransport()
        addRoutes(transport)
        var address = URLComponents()
        (address.scheme, address.host) = ("https", "stub.invalid")
        // These parts always form a URL.
        return Endpoint(baseURL: address.url ?? URL(filePath: "/"), transport: transport)
    }
}
