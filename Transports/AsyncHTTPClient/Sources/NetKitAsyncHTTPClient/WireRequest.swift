internal import AsyncHTTPClient
internal import Foundation
internal import NIOHTTP1
internal import NetKit

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Turns a request of NetKit's into one of AsyncHTTPClient's, and a head back.
enum WireRequest {
    /// The longest host there may be, in bytes (RFC 1035, section 2.3.4); longer ones end the process on
    /// their way to a SOCKS proxy.
    private static let longestHost = 255
    private static let acceptEncoding: HTTPHeaderName = "Accept-Encoding"

    /// Where a URL's connection leads.
    ///
    /// - Parameters:
    ///   - url: Any URL.
    ///   - kind: What the exchange is for. Defaults to a call.
    /// - Returns: The connection's key.
    /// - Throws: `TransportError` for a URL that is not http or https, has no host, or has a host or a
    ///   port that no connection can lead to.
    static func key(
        of url: URL,
        kind: ExchangeKind = .call
    ) throws(TransportError) -> ConnectionKey {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host?.lowercased(), !host.isEmpty
        else { throw unsupported("a URL that is not http or https or has no host") }
        guard host.utf8.count <= longestHost else { throw TransportError(.cannotFindHost) }
        let isSecure = scheme == "https"
        let port = url.port ?? (isSecure ? 443 : 80)
        // SwiftNIO ends the process at a port of more than 16 bits.
        guard (1...65_535).contains(port), isPortAsWritten(in: url) else {
            throw unsupported("a port outside 1 to 65535")
        }
        return ConnectionKey(isSecure: isSecure, host: host, port: port, kind: kind)
    }

    /// Whether a URL has the port that is written in it: it has none where there are too many digits.
    private static func isPortAsWritten(in url: URL) -> Bool {
        var text = url.absoluteURL.absoluteString
        return text.withUTF8 { bytes in
            // The authority begins behind "://", and its host behind the last "@".
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 3 <= bytes.count
            else {
                return false
            }
            var digits: Int?
            var index = colon + 3
            loop: while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break loop
                case UInt8(ascii: "@"), UInt8(ascii: "]"): digits = nil
                case UInt8(ascii: ":"): digits = index + 1
                default: break
                }
                index += 1
            }
            guard let digits, digits < index else { return true }
            let port = String(decoding: bytes[digits..<index], as: UTF8.self)
            return Int(port).map { $0 == url.port } ?? false
        }
    }

    private static func unsupported(_ what: String) -> TransportError {
        TransportError(.unsupported, underlying: Unsupported(what: what))
    }

    /// The request as AsyncHTTPClient takes it, which adds Host and what frames the body.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - key: Where its connection leads.
    ///   - body: Its body, nil without one.
    /// - Returns: The same request.
    /// - Throws: What AsyncHTTPClient has against it.
    static func make(
        _ request: EncodedRequest,
        to key: ConnectionKey,
        body: HTTPClient.Body?
    ) throws -> HTTPClient.Request {
        var headers = NIOHTTP1.HTTPHeaders()
        for (name, value) in request.headers { headers.add(name: name.rawName, value: value) }
        // What can be decompressed for sure: servers mean different things by deflate. A request that names
        // some itself gets what it asked for.
        if request.headers[acceptEncoding] == nil {
            headers.add(name: "Accept-Encoding", value: "gzip")
        }
        if key.isSecure { headers.add(name: ServerIdentityCheck.field, value: key.host) }
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
    init(_ head: HTTPResponseHead) {
        var headers = NetKit.HTTPHeaders()
        for (name, value) in head.headers { headers.append(value, for: HTTPHeaderName(name)) }
        self.init(status: HTTPStatus(rawValue: Int(head.status.code)), headers: headers)
    }
}
