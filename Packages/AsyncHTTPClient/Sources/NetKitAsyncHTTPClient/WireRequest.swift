internal import AsyncHTTPClient
internal import Foundation
internal import NIOHTTP1
internal import NetKit

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Converts requests to AsyncHTTPClient's form, and heads back.
enum WireRequest {
    /// The maximum length of a hostname in bytes (RFC 1035, section 2.3.4).
    ///
    /// Longer names crash the process on their way to a SOCKS proxy.
    private static let longestHost = 255

    /// Returns the key of a URL's connection.
    ///
    /// - Parameters:
    ///   - url: Any URL.
    ///   - kind: The kind of exchange. Defaults to a call.
    /// - Returns: The connection's key.
    /// - Throws: `TransportError` for a URL that isn't http or https, or whose host or port is missing or invalid.
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
        // SwiftNIO crashes on a port of more than 16 bits.
        guard (1...65_535).contains(port), isPortAsWritten(in: url) else {
            throw unsupported("a port outside 1 to 65535")
        }
        return ConnectionKey(isSecure: isSecure, host: host, port: port, kind: kind)
    }

    /// Returns whether a URL's port is the one in its text.
    ///
    /// A port with too many digits isn't parsed.
    private static func isPortAsWritten(in url: URL) -> Bool {
        var text = url.absoluteURL.absoluteString
        return text.withUTF8 { bytes in
            // The authority begins after "://", and its host after the last "@".
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

    /// Converts a request for AsyncHTTPClient, which adds `Host` and the body's framing.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - key: The key of its connection.
    ///   - route: The route to the host: direct, or by a proxy.
    ///   - body: The body, or nil for none.
    /// - Returns: The same request in AsyncHTTPClient's form.
    /// - Throws: An error of AsyncHTTPClient if the request isn't valid.
    static func make(
        _ request: EncodedRequest,
        to key: ConnectionKey,
        by route: ProxyRoute,
        body: HTTPClient.Body?
    ) throws -> HTTPClient.Request {
        var headers = NIOHTTP1.HTTPHeaders()
        for (name, value) in request.headers { headers.add(name: name.rawName, value: value) }
        // Requests only gzip, because servers disagree about deflate. A request's own field takes precedence.
        if request.headers[.acceptEncoding] == nil {
            headers.add(name: "Accept-Encoding", value: "gzip")
        }
        if key.isSecure { headers.add(name: ServerIdentityCheck.field, value: key.host) }
        return try HTTPClient.Request(
            url: url(of: request, to: key, by: route, &headers),
            method: NIOHTTP1.HTTPMethod(rawValue: method(of: request)),
            headers: headers,
            body: body
        )
    }

    /// Returns the URL whose host receives the connection, and adds the fields that a proxy needs.
    private static func url(
        of request: EncodedRequest,
        to key: ConnectionKey,
        by route: ProxyRoute,
        _ headers: inout NIOHTTP1.HTTPHeaders
    ) throws -> URL {
        guard case .forwarded(let proxy) = route else { return request.url }
        guard let url = proxy.url(for: request.url) else { throw HTTPClientError.invalidURL }
        let authority = ForwardProxy.authority(key.host, request.url.port)
        if !headers.contains(name: "Host") { headers.add(name: "Host", value: authority) }
        if let authorization = proxy.authorization {
            headers.replaceOrAdd(name: "Proxy-Authorization", value: authorization)
        }
        headers.add(name: AbsoluteForm.field, value: "http://\(authority)")
        return url
    }

    /// Returns the method in the form of `URLRequest`, which capitalizes some methods, such as `get`.
    ///
    /// URLSession sends that form, and servers must not see another one here.
    private static func method(of request: EncodedRequest) -> String {
        guard case .custom(let token) = request.method else { return request.method.rawValue }
        return request.urlRequest.httpMethod ?? token
    }
}

extension ResponseHead {
    init(_ head: HTTPResponseHead) {
        var headers = NetKit.HTTPHeaders()
        for (name, value) in head.headers {
            headers.append(Self.trimmed(value), for: HTTPHeaderName(name))
        }
        self.init(status: HTTPStatus(rawValue: Int(head.status.code)), headers: headers)
        let (major, minor) = (head.version.major, head.version.minor)
        connection = ConnectionFacts(httpVersion: major < 2 ? "\(major).\(minor)" : "\(major)")
    }

    /// A field value without the white space behind it, which the parser leaves (RFC 9112, section 5.1).
    private static func trimmed(_ value: String) -> String {
        guard let last = value.utf8.last, last == 0x20 || last == 0x09 else { return value }
        let end = value.utf8.lastIndex { $0 != 0x20 && $0 != 0x09 }
        return end.map { String(value[...$0]) } ?? ""
    }
}
