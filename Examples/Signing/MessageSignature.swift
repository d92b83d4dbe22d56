import Foundation
import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A SHA-256 hash in the shape of CryptoKit's and swift-crypto's: `extension SHA256: MessageHash {}`.
nonisolated protocol MessageHash: SendableMetatype {
    associatedtype Digest: Sequence<UInt8>

    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}

/// An interceptor that signs each exchange with an HTTP message signature (RFC 9421).
///
/// ```swift
/// let key = SymmetricKey(data: secret)
/// endpoint.interceptors.append(
///     MessageSignature<SHA256>(keyID: "shop", home: endpoint.baseURL, algorithm: "hmac-sha256") { text in
///         Data(HMAC<SHA256>.authenticationCode(for: text, using: key))
///     }
/// )
/// ```
///
/// Each retry and each redirect has its own signature and time. Requests to other origins are sent as they are. Add the
/// interceptor after those that change requests. The body is read twice, first for its `Content-Digest` (RFC 9530).
nonisolated struct MessageSignature<Hash: MessageHash>: Interceptor {
    /// The name of the key, as the server knows it.
    let keyID: String
    /// A URL of the origin whose requests are signed.
    let home: URL
    /// The algorithm's name, or nil if the server knows it by the key.
    var algorithm: String?
    /// What is signed: names of header fields, and of derived components with an `@`.
    ///
    /// A field that a request doesn't have isn't signed. `@query` is `?` for a URL without one.
    var components = ["@method", "@authority", "@path", "@query", "content-type", "content-digest"]
    /// Returns the current time.
    var now: @Sendable () -> Date = { Date() }
    /// Returns the signature of the text.
    let sign: @Sendable (_ text: Data) async throws -> Data

    var scope: InterceptorScope { .exchange }

    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        try await next(signed(request))
    }

    /// Returns a request with its signature, or as it is for another origin.
    func signed(_ request: EncodedRequest) async throws -> EncodedRequest {
        guard let target = MessageTarget(request.url), target.origin == MessageTarget(home)?.origin
        else { return request }
        var signed = request
        if components.contains("content-digest"), let body = request.body {
            let digest = Data(try body.digest(by: Hash.self)).base64EncodedString()
            signed.headers["Content-Digest"] = "sha-256=:\(digest):"
        }
        var lines: [String] = []
        var names: [String] = []
        for name in components {
            guard let value = value(of: name, in: signed, target) else { continue }
            names.append("\"\(name)\"")
            lines.append("\"\(name)\": \(value)")
        }
        var parameters = "(\(names.joined(separator: " ")))"
        parameters += ";created=\(Int(now().timeIntervalSince1970));keyid=\"\(keyID)\""
        if let algorithm { parameters += ";alg=\"\(algorithm)\"" }
        lines.append("\"@signature-params\": \(parameters)")
        let signature = try await sign(Data(lines.joined(separator: "\n").utf8))
        signed.headers["Signature-Input"] = "sig=\(parameters)"
        let value = "sig=:\(signature.base64EncodedString()):"
        signed.headers.set("Signature", to: value, isSensitive: true)
        return signed
    }

    /// The value of a component, or nil if the request has no such field.
    private func value(
        of name: String,
        in request: EncodedRequest,
        _ target: MessageTarget
    ) -> String? {
        switch name {
        // With the methods that `URLRequest` capitalizes, such as `get`.
        case "@method": request.urlRequest.httpMethod
        case "@authority": target.authority
        case "@scheme": target.scheme
        case "@path": target.path
        case "@query": "?\(target.query ?? "")"
        default:
            request.headers[HTTPHeaderName(name)]
                .map { value in
                    value.trimmingCharacters(in: .whitespaces)
                }
        }
    }
}

/// The parts of a URL as they are signed.
private nonisolated struct MessageTarget {
    let scheme: String
    /// The host in lower case, and the port unless it is the scheme's.
    let authority: String
    let path: String
    let query: String?

    var origin: String { "\(scheme)://\(authority)" }

    init?(_ url: URL) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), let host = parts.encodedHost?.lowercased()
        else { return nil }
        let standard = scheme == "https" ? 443 : 80
        let port = parts.port.flatMap { $0 == standard ? nil : ":\($0)" } ?? ""
        self.scheme = scheme
        authority = host + port
        path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        query = parts.percentEncodedQuery
    }
}

nonisolated extension BodySource {
    /// Hashes a body of any size in pieces of 64 KiB.
    func digest<Hash: MessageHash>(by hash: Hash.Type) throws -> Hash.Digest {
        var hash = Hash()
        let reader = try open()
        defer { reader.close() }
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = try piece.withUnsafeMutableBytes(reader.read), count > 0 {
            try Task.checkCancellation()
            piece.withUnsafeBytes { hash.update(bufferPointer: .init(rebasing: $0[..<count])) }
        }
        return hash.finalize()
    }
}
