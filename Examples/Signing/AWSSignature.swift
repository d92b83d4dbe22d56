import Foundation
import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A SHA-256 hash in the shape of CryptoKit's and swift-crypto's: `extension SHA256: AWSHash {}`.
nonisolated protocol AWSHash: SendableMetatype {
    associatedtype Digest: Sequence<UInt8>

    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}

/// The keys of an AWS account or role.
nonisolated struct AWSCredentials: Sendable {
    let accessKey: String
    let secretKey: String
    /// The token of temporary credentials; nil for permanent ones.
    var sessionToken: String?
}

/// An interceptor that signs each exchange with AWS Signature Version 4.
///
/// ```swift
/// endpoint.interceptors.append(
///     AWSSignature<SHA256>(region: "eu-central-1", service: "s3", home: endpoint.baseURL) {
///         AWSCredentials(accessKey: "AKIA…", secretKey: "…")
///     }
/// )
/// ```
///
/// Each retry and each redirect has its own signature and time. Add the interceptor after those that change requests.
/// The body is read twice, first for its hash. To read it once, for example because it is a live sequence, set
/// `X-Amz-Content-SHA256` yourself, to the hash or to `UNSIGNED-PAYLOAD`.
///
/// If a server refuses a request and its `Date` is minutes away, the request is signed and sent once more, with the server's
/// time, which later requests use as well.
nonisolated struct AWSSignature<Hash: AWSHash>: Interceptor {
    let region: String
    /// The service's name in signatures; `s3` for Amazon S3 and compatible servers.
    let service: String
    /// A URL of the origin whose requests are signed.
    let home: URL
    /// Whether to sign a request to another origin, such as after a redirect.
    ///
    /// Defaults to never. Check the scheme too: `{ $0.scheme == "https" && $0.host?.hasSuffix(".amazonaws.com") == true }`.
    var signsElsewhere: @Sendable (URL) -> Bool = { _ in false }
    /// Returns the current time.
    var now: @Sendable () -> Date = { Date() }
    /// Returns the credentials for a signature.
    let credentials: @Sendable () async throws -> AWSCredentials

    private let clock = AWSClock()

    var scope: InterceptorScope { .exchange }

    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        let difference = await clock.difference
        let response = try await next(signed(request))
        // A live body can't be sent twice, but the next request has the right time.
        guard let target = URLComponents(signing: request.url), signs(target, request.url),
            await clock.isCorrected(by: response, since: difference, at: now),
            request.body?.sequence?.isLive != true
        else { return response }
        return try await next(signed(request))
    }

    /// Returns a request with its signature, or as it is for an origin that isn't trusted and for a presigned URL.
    func signed(_ request: EncodedRequest) async throws -> EncodedRequest {
        guard let target = URLComponents(signing: request.url), signs(target, request.url) else {
            return request
        }
        let (credentials, time) = (try await credentials(), await timestamp)
        var signed = request
        // The server must receive what is signed: the same spelling of the URL, and one field for each name.
        if let url = target.url, url != request.url { signed.url = url }
        for (name, _) in request.headers where request.headers.values(for: name).count > 1 {
            signed.headers[name] = request.headers[name]
        }
        signed.headers["X-Amz-Date"] = time
        if let token = credentials.sessionToken {
            signed.headers.set("X-Amz-Security-Token", to: token, isSensitive: true)
        }
        let payload = try request.headers["X-Amz-Content-SHA256"] ?? hash(of: request.body)
        if isS3 { signed.headers["X-Amz-Content-SHA256"] = payload }
        var fields = ["host": target.authority]
        for (name, value) in signed.headers where !Self.unsigned.contains(name) {
            let words = value.split { $0 == " " || $0 == "\t" }
            fields[name.rawName.lowercased()] = words.joined(separator: " ")
        }
        // `URLRequest` capitalizes some methods, such as `get`.
        let method = request.urlRequest.httpMethod ?? request.method.rawValue
        let canonical = canonical(method, target, fields, payload)
        let parts = [
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(credentialScope(at: time))",
            "SignedHeaders=\(names(of: fields))",
            "Signature=\(signature(of: canonical, by: credentials, at: time))",
        ]
        signed.headers.set(.authorization, to: parts.joined(separator: ", "), isSensitive: true)
        return signed
    }

    /// Returns a URL with which anybody can make a request without credentials.
    ///
    /// - Parameters:
    ///   - url: The URL of the resource.
    ///   - method: The method of the request. Defaults to GET.
    ///   - lifetime: How long the URL is valid, from 1 second to 7 days. Defaults to 15 minutes.
    /// - Returns: The URL with its signature.
    /// - Throws: An error of ``credentials``, or `URLError` if the URL is invalid.
    func presigned(
        _ url: URL,
        method: HTTPMethod = .get,
        lifetime: Duration = .seconds(900)
    ) async throws -> URL {
        guard var target = URLComponents(signing: url) else { throw URLError(.badURL) }
        let (credentials, time) = (try await credentials(), await timestamp)
        var items = [
            "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
            "X-Amz-Credential": "\(credentials.accessKey)/\(credentialScope(at: time))",
            "X-Amz-Date": time,
            "X-Amz-Expires": "\(lifetime.components.seconds)",
            "X-Amz-SignedHeaders": "host",
        ]
        items["X-Amz-Security-Token"] = credentials.sessionToken
        target.add(items)
        let payload = isS3 ? "UNSIGNED-PAYLOAD" : hex(hash([]))
        let fields = ["host": target.authority]
        let canonical = canonical(method.rawValue, target, fields, payload)
        target.add(["X-Amz-Signature": signature(of: canonical, by: credentials, at: time)])
        guard let presigned = target.url else { throw URLError(.badURL) }
        return presigned
    }

    /// Whether the origin is trusted, and the URL has no signature of its own.
    private func signs(_ target: URLComponents, _ url: URL) -> Bool {
        guard let home = URLComponents(signing: home) else { return false }
        return
            (target.scheme == home.scheme && target.authority == home.authority
            || signsElsewhere(url))
            && target.items.allSatisfy { $0.name != "X-Amz-Signature" }
    }

    /// The fields that transports, proxies and tracers may change after signing.
    private static var unsigned: Set<HTTPHeaderName> {
        [
            "Accept-Encoding", "Authorization", "Connection", "Expect", "Keep-Alive", "TE",
            "Proxy-Authorization", "Traceparent", "Tracestate", "Trailer", "Transfer-Encoding",
            "Upgrade", "User-Agent", "X-Amzn-Trace-Id",
        ]
    }

    /// Whether the path is signed as it is.
    ///
    /// Other services encode it again, without empty segments.
    private var isS3: Bool { service == "s3" || service.hasPrefix("s3-") }

    private var timestamp: String {
        get async {
            await now().addingTimeInterval(clock.difference)
                .formatted(
                    Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
                )
        }
    }

    private func credentialScope(at time: String) -> String {
        "\(time.prefix(8))/\(region)/\(service)/aws4_request"
    }

    private func names(of fields: [String: String]) -> String {
        fields.keys.sorted().joined(separator: ";")
    }

    private func canonical(
        _ method: String,
        _ target: URLComponents,
        _ fields: [String: String],
        _ payload: String
    ) -> String {
        var path = target.percentEncodedPath
        if !isS3 {
            let segments = path.split(separator: "/").map { encoded($0.utf8) }
            path = (path.hasSuffix("/") ? segments + [""] : segments).joined(separator: "/")
            path = path.isEmpty ? "/" : "/\(path)"
        }
        let query = target.items.map { ($0.name, $0.value ?? "") }.sorted(by: <)
            .map { "\($0)=\($1)" }
            .joined(separator: "&")
        let lines = fields.sorted { $0.key < $1.key }.map { "\($0):\($1)\n" }.joined()
        return [method, path, query, lines, names(of: fields), payload]
            .joined(separator: "\n")
    }

    private func signature(
        of canonical: String,
        by credentials: AWSCredentials,
        at time: String
    ) -> String {
        let digest = hex(hash(Array(canonical.utf8)))
        let text = ["AWS4-HMAC-SHA256", time, credentialScope(at: time), digest]
            .joined(separator: "\n")
        let key = credentialScope(at: time).split(separator: "/")
            .reduce(Array("AWS4\(credentials.secretKey)".utf8)) { hmac($0, $1.utf8) }
        return hex(hmac(key, text.utf8))
    }

    /// HMAC (RFC 2104) with the block size of SHA-256, 64 bytes.
    private func hmac(_ key: [UInt8], _ message: some Sequence<UInt8>) -> [UInt8] {
        let short = key.count > 64 ? hash(key) : key
        let block = short + Array(repeating: 0, count: 64 - short.count)
        return hash(block.map { $0 ^ 0x5C } + hash(block.map { $0 ^ 0x36 } + message))
    }

    private func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = Hash()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Array(hash.finalize())
    }

    /// Hashes a body of any size in pieces of 64 KiB.
    private func hash(of body: BodySource?) throws -> String {
        var hash = Hash()
        guard let reader = try body?.open() else { return hex(hash.finalize()) }
        defer { reader.close() }
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = try piece.withUnsafeMutableBytes(reader.read), count > 0 {
            try Task.checkCancellation()
            piece.withUnsafeBytes { hash.update(bufferPointer: .init(rebasing: $0[..<count])) }
        }
        return hex(hash.finalize())
    }
}

/// What a server's clock is ahead of this machine's.
private actor AWSClock {
    /// In seconds.
    private(set) var difference: TimeInterval = 0

    /// Takes over the time of a server that refused a request, if it is more than two minutes away.
    ///
    /// - Parameters:
    ///   - response: The server's response.
    ///   - used: The difference with which the request was signed; others may have corrected it since.
    ///   - now: Returns this machine's time.
    /// - Returns: Whether the request is to be signed again.
    func isCorrected(
        by response: HTTPResponse,
        since used: TimeInterval,
        at now: () -> Date
    ) -> Bool {
        guard [400, 401, 403].contains(response.statusCode),
            let date = response.headers[.date].flatMap(Self.date)
        else { return false }
        let found = date.timeIntervalSince(now())
        guard abs(found - used) > 120 else { return false }
        difference = found
        return true
    }

    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}

nonisolated extension URLComponents {
    /// Creates the components of a URL in the only spelling that all servers read alike.
    ///
    /// All bytes but the unreserved ones (RFC 3986, section 2.3) are encoded, and dot segments are resolved.
    fileprivate init?(signing url: URL) {
        guard var spelled = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return nil
        }
        let segments = spelled.percentEncodedPath
            .split(separator: "/", omittingEmptySubsequences: false)
        spelled.percentEncodedPath = segments.map { encoded(decoded($0.utf8)) }
            .joined(separator: "/")
        let items = spelled.items.filter { !$0.name.isEmpty }
            .map { URLQueryItem(name: respelled($0.name), value: $0.value.map(respelled)) }
        spelled.percentEncodedQueryItems = items.isEmpty ? nil : items
        guard let resolved = spelled.url?.standardized else { return nil }
        self.init(url: resolved, resolvingAgainstBaseURL: true)
        (user, password, fragment) = (nil, nil, nil)
        (scheme, encodedHost) = (scheme?.lowercased(), encodedHost?.lowercased())
        if port == (scheme == "https" ? 443 : 80) { port = nil }
        if percentEncodedPath.isEmpty { percentEncodedPath = "/" }
    }

    fileprivate var items: [URLQueryItem] { percentEncodedQueryItems ?? [] }

    /// The value of `Host`.
    fileprivate var authority: String { (encodedHost ?? "") + (port.map { ":\($0)" } ?? "") }

    fileprivate mutating func add(_ values: [String: String]) {
        percentEncodedQueryItems =
            items
            + values.sorted { $0.key < $1.key }
            .map { URLQueryItem(name: $0.key, value: encoded($0.value.utf8)) }
    }
}

/// Encodes a part of a query again, in which a plus is a space.
private nonisolated func respelled(_ text: String) -> String {
    encoded(decoded(text.replacing("+", with: "%20").utf8))
}

private nonisolated func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
    var (bytes, rest) = ([UInt8](), Array(text)[...])
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? byte)
        rest = rest.dropFirst(2)
    }
    return bytes
}

private nonisolated func encoded(_ bytes: some Sequence<UInt8>) -> String {
    let unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
    return
        bytes.map { byte in
            unreserved.contains(byte) ? String(UnicodeScalar(byte)) : "%" + hex([byte]).uppercased()
        }
        .joined()
}

private nonisolated func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
