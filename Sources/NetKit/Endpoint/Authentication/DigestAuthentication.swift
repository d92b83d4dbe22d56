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
/// SHA-256 and MD5 are known, both also as `-sess`, with `qop=auth` or without; of several challenges the
/// strongest is answered. Names are hashed where the server asks for it, and sent as `username*` where they are
/// not ASCII. The 401 stands where only other algorithms or `qop=auth-int` are offered, and where the
/// server turns down a proof without a new nonce, which means that name or password are wrong.
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
    public func authenticate(_ request: inout EncodedRequest) async {
        guard let origin = request.origin else { return }
        let fresh = DigestSessions.newClientNonce()
        guard let use = sessions.withLock({ $0[origin]?.use(clientNonce: fresh) }) else { return }
        let answer = DigestAnswer(
            user: user,
            challenge: use.challenge,
            method: Self.method(of: request),
            target: Self.target(of: request.url),
            count: use.count,
            clientNonce: use.clientNonce
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
        guard response.status == .unauthorized, let origin = request.origin,
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

extension DigestAuthentication: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The scheme, without name and password.
    public var description: String { "digest ‹redacted›" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows neither name nor password.
    public var customMirror: Mirror { Mirror(self, children: ["token": description]) }
}
