import Foundation
public import NetKit
import NetKitSupport

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
/// - The server rejects a proof without calling it stale, and has accepted none before, so the user name or the password
///   is wrong.
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
        guard let origin = request.origin else { return }
        // A sequence couldn't be read again to be sent.
        let allowsIntegrity = request.body?.sequence == nil
        guard
            let use = sessions.withLock({
                $0[origin]?
                    .use(
                        clientNonce: DigestSessions.newClientNonce(),
                        allowingIntegrity: allowsIntegrity
                    )
            })
        else { return }
        let answer = DigestAnswer(
            user: user,
            challenge: use.challenge,
            method: Self.method(of: request),
            target: RequestTarget.text(of: request.url.absoluteString),
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
    /// - Returns: ``AuthenticationRecovery/newerCredential`` for a supported challenge that the request didn't answer,
    ///   or answered with a stale nonce. ``AuthenticationRecovery/refreshed`` for another realm, and for another nonce if
    ///   the password was accepted before. Otherwise ``AuthenticationRecovery/none``.
    public func recover(
        from response: HTTPResponse,
        to request: EncodedRequest
    ) async -> AuthenticationRecovery {
        guard let origin = request.origin else { return .none }
        let sent = request.headers[.authorization]
        let own = sent.flatMap { Self.answer(in: $0) }
        let answer = own?.parameters ?? [:]
        guard response.status == .unauthorized else {
            noteAcceptance(of: answer, by: response, at: origin)
            return .none
        }
        guard let field = response.headers[.wwwAuthenticate],
            let challenge = DigestChallenge.strongest(in: field),
            // Resending someone else's credential wouldn't help.
            sent == nil || own != nil
        else { return .none }
        let (realm, nonce) = (answer["realm"], answer["nonce"])
        let isSame = realm == challenge.realm && nonce == challenge.nonce
        if isSame, !challenge.isStale { return .none }
        let wasAccepted = sessions.withLock { sessions in
            defer { sessions[origin, default: DigestSessions()].take(challenge) }
            return sessions[origin]?.hasAccepted(in: realm) ?? false
        }
        // Of several calls at once, some need another nonce if the server accepts each only once.
        if sent == nil || challenge.isStale { return .newerCredential }
        // Not every server says so of a nonce that it no longer accepts. The password may also be wrong, unless it was
        // accepted before.
        return wasAccepted || realm != challenge.realm ? .refreshed : .none
    }

    /// Notes that a server accepted a nonce, and the next one from `Authentication-Info` (RFC 7616, section 3.5).
    private func noteAcceptance(
        of answer: [String: String],
        by response: HTTPResponse,
        at origin: Origin
    ) {
        guard let realm = answer["realm"], let nonce = answer["nonce"] else { return }
        // The field is a list of parameters, like a challenge without its scheme.
        let next = response.headers["Authentication-Info"]
            .flatMap { Self.answer(in: "Digest \($0)")?.parameters["nextnonce"] }
        sessions.withLock { sessions in
            sessions[origin]?.accept(nonce, realm: realm)
            if let next { sessions[origin]?.renew(next, realm: realm, after: nonce) }
        }
    }

    /// Parses a credential; nil for that of another scheme.
    private static func answer(in credential: String) -> AuthenticationChallenge? {
        AuthenticationChallenge.challenges(in: credential).first
            .flatMap { $0.isScheme("digest") ? $0 : nil }
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
}

extension DigestAuthentication: IdentifiedAuthentication {
    package var identity: CredentialIdentity {
        // With the length of the name, because both may contain colons.
        .secret("\(user.name.utf8.count) \(user.name):\(user.password)")
    }
}

/// The accepted challenges of one origin, with the number of answers to each.
///
/// An origin may have several realms, and a request's realm isn't known in advance. The most recent one is used. Of its
/// nonces, one without an answer comes first: calls that are challenged at once may each need their own. The others keep
/// their counts, because a nonce must never be used twice with the same count.
struct DigestSessions {
    /// The values for the next answer.
    struct Use {
        let challenge: DigestChallenge
        let count: UInt32
        let clientNonce: String
    }

    private struct Session {
        var challenge: DigestChallenge
        var count: UInt32 = 0
        /// Whether the server has accepted an answer.
        var isAccepted = false
        /// The client's nonce of the first answer.
        var firstClientNonce: String?
    }

    /// The maximum number of challenges to keep.
    static let limit = 128

    /// The sessions, most recent first.
    private var sessions: [Session] = []

    /// Accepts a challenge, which is answered from now on.
    ///
    /// - Parameter challenge: The challenge. For a known nonce, the count continues.
    mutating func take(_ challenge: DigestChallenge) {
        var session = Session(challenge: challenge)
        if let index = index(of: challenge.nonce, realm: challenge.realm) {
            let known = sessions.remove(at: index)
            (session.count, session.isAccepted) = (known.count, known.isAccepted)
            session.firstClientNonce = known.firstClientNonce
        }
        sessions.insert(session, at: 0)
        if sessions.count > Self.limit { sessions.removeLast() }
    }

    /// Stores the server's next nonce.
    ///
    /// - Parameters:
    ///   - next: The next nonce.
    ///   - realm: The realm of the request.
    ///   - nonce: The nonce of the request. A response to an older nonce is ignored, because its next nonce may already
    ///     be in use, and a count must not repeat.
    mutating func renew(_ next: String, realm: String, after nonce: String) {
        guard index(of: next, realm: realm) == nil,
            let index = sessions.firstIndex(where: { $0.challenge.realm == realm }),
            sessions[index].challenge.nonce == nonce
        else { return }
        sessions[index].challenge = sessions[index].challenge.renewed(with: next)
        sessions[index].count = 0
    }

    /// Counts an answer to a challenge of the most recent realm: one without an answer, or else the most recent one.
    ///
    /// - Parameters:
    ///   - clientNonce: A new client nonce. A session keeps its first one, because its secret depends on it (RFC 7616,
    ///     section 3.4.2) and servers differ in which one they use.
    ///   - allowsIntegrity: Whether the answer can cover the body. Defaults to true.
    /// - Returns: The values for the answer, or nil without a challenge to answer or when the count is exhausted.
    mutating func use(clientNonce: String, allowingIntegrity allowsIntegrity: Bool = true) -> Use? {
        guard let realm = sessions.first?.challenge.realm else { return nil }
        let unused = sessions.firstIndex { $0.count == 0 && $0.challenge.realm == realm }
        let index = unused ?? 0
        var session = sessions[index]
        guard allowsIntegrity || session.challenge.quality != .integrity else { return nil }
        guard session.count < UInt32.max else {
            sessions.remove(at: index)
            return nil
        }
        session.count += 1
        let first = session.firstClientNonce ?? clientNonce
        session.firstClientNonce = first
        sessions[index] = session
        return Use(
            challenge: session.challenge,
            count: session.count,
            clientNonce: session.challenge.algorithm.isSession ? first : clientNonce
        )
    }

    /// Notes that the server accepted an answer to a nonce.
    mutating func accept(_ nonce: String, realm: String) {
        guard let index = index(of: nonce, realm: realm) else { return }
        sessions[index].isAccepted = true
    }

    /// Returns whether the server has accepted an answer for a realm.
    func hasAccepted(in realm: String?) -> Bool {
        sessions.contains { $0.isAccepted && $0.challenge.realm == realm }
    }

    private func index(of nonce: String, realm: String) -> Int? {
        sessions.firstIndex { $0.challenge.nonce == nonce && $0.challenge.realm == realm }
    }

    /// Returns 128 random bits in hexadecimal.
    static func newClientNonce() -> String { [UInt8].random(16).hexadecimal }
}

/// The answer to a challenge: a value of `Authorization` (RFC 7616, section 3.4).
struct DigestAnswer {
    /// The user name and password.
    let user: DigestUser
    /// The challenge to answer.
    let challenge: DigestChallenge
    /// The request's method as sent.
    let method: String
    /// The request target as sent.
    let target: String
    /// The number of requests with this nonce, including this one.
    let count: UInt32
    /// The client's nonce.
    let clientNonce: String
    /// The digest of the body, if the answer covers it.
    var bodyDigest = ""

    /// The value of the field.
    var fieldValue: String {
        let algorithm = challenge.algorithm
        // The server needs the client's nonce in these cases to compute the same response.
        let hasClientNonce = challenge.quality != nil || algorithm.isSession
        var parameters = nameParameters
        parameters += [
            ("realm", QuotedString.quoting(challenge.realm)), ("uri", QuotedString.quoting(target)),
            ("nonce", QuotedString.quoting(challenge.nonce)),
        ]
        if let name = challenge.algorithmName { parameters.append(("algorithm", name)) }
        if let quality = challenge.quality {
            parameters += [("nc", countText), ("qop", quality.rawValue)]
        }
        if hasClientNonce { parameters.append(("cnonce", QuotedString.quoting(clientNonce))) }
        parameters.append(("response", QuotedString.quoting(response)))
        if let opaque = challenge.opaque {
            parameters.append(("opaque", QuotedString.quoting(opaque)))
        }
        if challenge.hashesUserName { parameters.append(("userhash", "true")) }
        return "Digest " + parameters.map { "\($0)=\($1)" }.joined(separator: ", ")
    }

    /// The proof of the password (sections 3.4.1 to 3.4.3).
    var response: String {
        let algorithm = challenge.algorithm
        var secret = algorithm.digest(of: [userName, challenge.realm, password])
        if algorithm.isSession {
            secret = algorithm.digest(of: [secret, challenge.sessionNonce, clientNonce])
        }
        let extras = challenge.quality.map { [countText, clientNonce, $0.rawValue] } ?? []
        let isWhole = challenge.quality == .integrity
        let request = algorithm.digest(of: [method, target] + (isWhole ? [bodyDigest] : []))
        return algorithm.digest(of: [secret, challenge.nonce] + extras + [request])
    }

    private var userName: String { normalized(user.name) }
    private var password: String { normalized(user.password) }

    private func normalized(_ text: String) -> String {
        challenge.isNormalized ? text.precomposedStringWithCanonicalMapping : text
    }

    /// The count in eight hexadecimal digits.
    private var countText: String {
        let digits = String(count, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The user name: hashed, plain, or in the RFC 8187 form if not ASCII.
    private var nameParameters: [(String, String)] {
        let name = userName
        if challenge.hashesUserName {
            let hash = challenge.algorithm.digest(of: [name, challenge.realm])
            return [("username", QuotedString.quoting(hash))]
        }
        guard name.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return [("username*", "UTF-8''\(PercentEncoding.encoded(name, as: .queryValue))")]
        }
        return [("username", QuotedString.quoting(name))]
    }
}

/// A user name and a password for Digest authentication.
struct DigestUser: Sendable {
    let name: String
    let password: String
}

extension DigestUser: Concealed {
    /// A redacted description, without user name and password.
    var shown: String { "digest ‹redacted›" }
}
