import Foundation
public import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A user name and a password for Digest authentication (RFC 7616).
///
/// The server receives a proof of the password, never the password itself.
///
/// - The first request has no credential. The server answers with a challenge: a 401 with a nonce. The request is then
///   resent with the proof.
/// - The challenge is stored for the server's origin. Later requests have their proof at once, until the server asks
///   for a new nonce.
/// - Several endpoints can share one object, even with different origins. Each server then receives a proof of the same
///   password.
///
/// The algorithms are SHA-512-256, SHA-256, and MD5, each also as `-sess`, with or without `qop`. The strongest
/// challenge is answered. If the server offers `auth`, it is preferred. With only `auth-int`, the body is read once
/// more for its digest. `nextnonce` is supported. User names are hashed if the server asks for it, and sent as
/// `username*` if they aren't ASCII.
///
/// In these cases, the 401 is the response:
///
/// - The server offers only other algorithms.
/// - The server rejects a proof without a new nonce, so the user name or the password is wrong.
/// - The server asks for `auth-int`, and the body is a live sequence.
///
/// Digest protects the password but not the request, and MD5 protects it poorly. Use `https` in any case.
public final class DigestAuthentication: Authentication {
    private let user: DigestUser
    private let sessions = Locked<[Origin: DigestSessions]>([:])

    /// Creates the credential.
    ///
    /// - Parameters:
    ///   - username: The user name.
    ///   - password: The password.
    public init(username: String, password: String) {
        user = DigestUser(name: username, password: password)
    }

    /// Adds the proof, if the server's challenge is already known.
    ///
    /// - Parameter request: The request that is about to be sent.
    /// - Throws: An error if the server asks for a digest of the body and the body can't be read.
    public func authenticate(_ request: inout EncodedRequest) async throws {
        guard let origin = request.origin,
            let challenge = sessions.withLock({ $0[origin]?.challenge })
        else { return }
        // The sequence couldn't be read again to be sent.
        guard challenge.quality != .integrity || request.body?.sequence == nil else { return }
        let fresh = DigestSessions.newClientNonce()
        guard let use = sessions.withLock({ $0[origin]?.use(clientNonce: fresh) }) else { return }
        let answer = DigestAnswer(
            user: user,
            challenge: use.challenge,
            method: Self.method(of: request),
            target: Self.target(of: request.url),
            count: use.count,
            clientNonce: use.clientNonce,
            bodyDigest: try await Self.bodyDigest(of: request, for: use.challenge)
        )
        request.headers[.authorization] = answer.fieldValue
    }

    /// Accepts the challenge of a 401 response.
    ///
    /// - Parameters:
    ///   - response: The response, whatever its status code.
    ///   - request: The request as sent.
    /// - Returns: ``AuthenticationRecovery/refreshed`` for a supported challenge that the request didn't answer, or
    ///   answered with a stale nonce. Otherwise ``AuthenticationRecovery/none``.
    public func recover(
        from response: HTTPResponse,
        to request: EncodedRequest
    ) async -> AuthenticationRecovery {
        guard let origin = request.origin else { return .none }
        takeNextNonce(from: response, to: request, at: origin)
        guard response.status == .unauthorized,
            let field = response.headers[.wwwAuthenticate],
            let challenge = DigestChallenge.strongest(in: field)
        else { return .none }
        if let sent = request.headers[.authorization] {
            // Resending someone else's credential wouldn't help.
            guard let answer = AuthenticationChallenge.challenges(in: sent).first,
                answer.isScheme("digest")
            else { return .none }
            let isSame =
                answer.parameters["realm"] == challenge.realm
                && answer.parameters["nonce"] == challenge.nonce
            if isSame, !challenge.isStale { return .none }
        }
        sessions.withLock { $0[origin, default: DigestSessions()].take(challenge) }
        return .refreshed
    }

    /// Stores the next nonce from `Authentication-Info` (RFC 7616, section 3.5).
    private func takeNextNonce(
        from response: HTTPResponse,
        to request: EncodedRequest,
        at origin: Origin
    ) {
        // The field is a list of parameters, like a challenge without its scheme.
        guard let field = response.headers["Authentication-Info"],
            let next = Self.parameters(of: "Digest \(field)")["nextnonce"],
            let sent = request.headers[.authorization].map({ Self.parameters(of: $0) }),
            let realm = sent["realm"], let nonce = sent["nonce"]
        else { return }
        sessions.withLock { $0[origin]?.renew(next, realm: realm, after: nonce) }
    }

    private static func parameters(of credential: String) -> [String: String] {
        guard let first = AuthenticationChallenge.challenges(in: credential).first,
            first.isScheme("digest")
        else { return [:] }
        return first.parameters
    }

    /// Returns the digest of the body if the challenge asks for it.
    private static func bodyDigest(
        of request: EncodedRequest,
        for challenge: DigestChallenge
    ) async throws -> String {
        guard challenge.quality == .integrity else { return "" }
        let (body, algorithm) = (request.body, challenge.algorithm)
        // Reads files on a thread that may block.
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global()
                .async {
                    continuation.resume(with: Result { try algorithm.digest(of: body) })
                }
        }
    }

    /// Returns the method as sent.
    ///
    /// `URLRequest` capitalizes some methods, such as `get`.
    static func method(of request: EncodedRequest) -> String {
        guard case .custom(let token) = request.method else { return request.method.rawValue }
        var plain = URLRequest(url: request.url)
        plain.httpMethod = token
        return plain.httpMethod ?? token
    }

    /// Returns the request target (RFC 9112, section 3.2.1): path and query as in the URL.
    static func target(of url: URL) -> String {
        let text = url.absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return "/" }
        let rest = text[colon...].dropFirst(3)
        let target = rest.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let isRooted = target.first == UInt8(ascii: "/")
        return (isRooted ? "" : "/") + String(decoding: target, as: UTF8.self)
    }
}

extension DigestAuthentication: IdentifiedAuthentication {
    package var identity: CredentialIdentity {
        // With the length of the name, because both may contain colons.
        .secret("\(user.name.utf8.count) \(user.name):\(user.password)")
    }
}
