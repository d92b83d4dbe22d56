import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A name and a password that the server is shown a proof of, never the password itself (RFC 7616).
///
/// The first request goes without a credential. The server answers it with a challenge, a 401 with a nonce, and the
/// request is sent again with the proof. The challenge is remembered for the server's origin: later requests have
/// their proof at once, until the server wants a newer nonce. One object can be shared by several
/// endpoints, also of several origins; each server is then shown a proof of the same password.
///
/// The algorithms are SHA-512-256, SHA-256 and MD5, each also as `-sess`, with `qop` or without. Of several challenges
/// the strongest is answered. Of several qualities `auth` is taken; with `auth-int` alone, the body is read once more
/// for its digest. `nextnonce` is heeded. Names are hashed where the server asks for it, and sent as `username*` where
/// they are not ASCII. The 401 stands where only other algorithms are offered, and where the server turns down a
/// proof without a new nonce, which means that name or password are wrong. It also stands for a body that comes while
/// it is sent, where the server asks for `auth-int`.
///
/// Digest hides the password but not the request, and MD5 hides it badly: use `https` all the same.
public final class DigestAuthentication: Authentication {
    private let user: DigestUser
    private let sessions = Locked<[Origin: DigestSessions]>([:])

    /// Makes the credential.
    ///
    /// - Parameters:
    ///   - username: The user's name.
    ///   - password: The password.
    public init(username: String, password: String) {
        user = DigestUser(name: username, password: password)
    }

    /// Adds the proof, if the server's challenge is known already.
    ///
    /// - Parameter request: The request that is about to be sent.
    /// - Throws: What kept a body from being read whose digest the server asks for.
    public func authenticate(_ request: inout EncodedRequest) async throws {
        guard let origin = request.origin,
            let challenge = sessions.withLock({ $0[origin]?.challenge })
        else { return }
        // The sequence could not be read again to be sent.
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

    /// Takes up the challenge of a 401.
    ///
    /// - Parameters:
    ///   - response: The response, whatever its status.
    ///   - request: The request as it was sent.
    /// - Returns: ``AuthenticationRecovery/refreshed`` for a challenge that can be answered and that the request did
    ///   not answer, or answered with a nonce that has gone stale.
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
            // A credential that is not ours would only be sent once more.
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

    /// Takes the nonce for the next request from `Authentication-Info` (RFC 7616, section 3.5).
    private func takeNextNonce(
        from response: HTTPResponse,
        to request: EncodedRequest,
        at origin: Origin
    ) {
        // The field is a list of parameters, as that of a challenge behind its scheme.
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

    /// The digest of the body, where the challenge asks for it.
    private static func bodyDigest(
        of request: EncodedRequest,
        for challenge: DigestChallenge
    ) async throws -> String {
        guard challenge.quality == .integrity else { return "" }
        let (body, algorithm) = (request.body, challenge.algorithm)
        // Files are read on a thread that may wait.
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global()
                .async {
                    continuation.resume(with: Result { try algorithm.digest(of: body) })
                }
        }
    }

    /// The method as it is sent: a `URLRequest` writes some methods in capitals, such as `get`.
    static func method(of request: EncodedRequest) -> String {
        guard case .custom(let token) = request.method else { return request.method.rawValue }
        var plain = URLRequest(url: request.url)
        plain.httpMethod = token
        return plain.httpMethod ?? token
    }

    /// The request target (RFC 9112, section 3.2.1): path and query as they stand in the URL.
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
    var identity: CredentialIdentity { .secret("\(user.name):\(user.password)") }
}
