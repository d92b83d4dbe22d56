import NetKit

/// The accepted challenges of one origin, with the number of answers to each.
///
/// An origin may have several realms, and a request's realm isn't known in advance. The most recent one is used. The
/// others keep their counts, because a nonce must never be used twice with the same count.
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
        /// The client's nonce of the first answer.
        var firstClientNonce: String?
    }

    /// The maximum number of realms to keep.
    static let limit = 8

    /// The sessions, most recent first.
    private var sessions: [Session] = []

    /// Accepts a challenge, which is answered from now on.
    ///
    /// - Parameter challenge: The challenge. For a known nonce, the count continues.
    mutating func take(_ challenge: DigestChallenge) {
        var session = Session(challenge: challenge)
        if let index = sessions.firstIndex(where: { $0.challenge.realm == challenge.realm }) {
            let known = sessions.remove(at: index)
            if known.challenge.nonce == challenge.nonce {
                session.count = known.count
                session.firstClientNonce = known.firstClientNonce
            }
        }
        sessions.insert(session, at: 0)
        if sessions.count > Self.limit { sessions.removeLast() }
    }

    /// The challenge that the next request answers.
    var challenge: DigestChallenge? { sessions.first?.challenge }

    /// Stores the server's next nonce.
    ///
    /// - Parameters:
    ///   - next: The next nonce.
    ///   - realm: The realm of the request.
    ///   - nonce: The nonce of the request. A response to an older nonce is ignored, because its next nonce may already
    ///     be in use, and a count must not repeat.
    mutating func renew(_ next: String, realm: String, after nonce: String) {
        guard next != nonce,
            let index = sessions.firstIndex(where: { $0.challenge.realm == realm }),
            sessions[index].challenge.nonce == nonce
        else { return }
        sessions[index].challenge = sessions[index].challenge.renewed(with: next)
        sessions[index].count = 0
    }

    /// Counts another answer to the most recent challenge.
    ///
    /// - Parameter clientNonce: A new client nonce. A session keeps its first one, because its secret depends on it
    ///   (RFC 7616, section 3.4.2) and servers differ in which one they use.
    /// - Returns: The values for the answer, or nil without a challenge or when the count is exhausted.
    mutating func use(clientNonce: String) -> Use? {
        guard var session = sessions.first else { return nil }
        guard session.count < UInt32.max else {
            sessions.removeFirst()
            return nil
        }
        session.count += 1
        let first = session.firstClientNonce ?? clientNonce
        session.firstClientNonce = first
        sessions[0] = session
        return Use(
            challenge: session.challenge,
            count: session.count,
            clientNonce: session.challenge.algorithm.isSession ? first : clientNonce
        )
    }

    /// Returns 128 random bits in hexadecimal.
    static func newClientNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return DigestAlgorithm.hexadecimal(
            (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        )
    }
}
