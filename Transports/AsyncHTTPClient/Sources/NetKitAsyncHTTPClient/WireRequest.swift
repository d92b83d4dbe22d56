internal import AsyncHTTPClient
internal import Foundation
internal import NIOHTTP1
internal import NetKit

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Turns a request of NetKit's into one of AsyncHTTPClient's, and a head back.
enum WireRequest {
    /// Where a URL's connection leads; nil for one that is not http or https or has no host.
    static func key(of url: URL) -> ConnectionKey? {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host?.lowercased(), !host.isEmpty
        else { return nil }
        let isSecure = scheme == "https"
        return ConnectionKey(
            isSecure: isSecure,
            host: host,
            port: url.port ?? (isSecure ? 443 : 80)
        )
    }

    /// The request as AsyncHTTPClient takes it, which adds Host and what frames the body.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: Its body, nil without one.
    /// - Returns: The same request.
    /// - Throws: What AsyncHTTPClient has against it.
    static func make(
        _ request: EncodedRequest,
        body: HTTPClient.Body?
    ) throws -> HTTPClient.Request {
        var headers = NIOHTTP1.HTTPHeaders()
        headers.reserveCapacity(request.headers.count + 3)
        var namesEncodings = false
        for (name, value) in request.headers {
            headers.add(name: name.rawName, value: value)
            namesEncodings = namesEncodings || name == .acceptEncoding
        }
        // What can be decompressed here; a request that names some itself gets what it asked for.
        if !namesEncodings { headers.add(name: "Accept-Encoding", value: "gzip, deflate") }
        return try HTTPClient.Request(
            url: request.url,
            method: NIOHTTP1.HTTPMethod(rawValue: method(of: request)),
            headers: headers,
            body: body
        )
    }

    /// The method as a `URLRequest` writes it, some of them in capitals, such as `get`: what sees the
    /// request as one on its way here, interceptors and proofs, is to see what is sent.
    private static func method(of request: EncodedRequest) -> String {
        guard case .custom(let token) = request.method else { return request.method.rawValue }
        return request.urlRequest.httpMethod ?? token
    }
}

extension ResponseHead {
    /// A head whose fields of one name are joined by a comma (RFC 9110, section 5.3).
    init(_ head: HTTPResponseHead) {
        var headers = NetKit.HTTPHeaders()
        for (name, value) in head.headers {
            let name = HTTPHeaderName(name)
            headers[name] = headers[name].map { "\($0), \(value)" } ?? value
        }
        self.init(status: HTTPStatus(rawValue: Int(head.status.code)), headers: headers)
    }
}
