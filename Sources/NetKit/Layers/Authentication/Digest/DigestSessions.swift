/// The challenges of one origin that were taken up, and how often each was answered.
///
/// An origin may have several realms. Which of them a request belongs to is not known beforehand; the one that
/// was asked for last is taken, and the others keep their counts, as a count must not come twice with a nonce.
struct DigestSessions {
    /// What the next request is answered with.
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

    /// How many realms are remembered.
    static let limit = 8

    /// The last one taken up comes first.
    private var sessions: [Session] = []

    /// Takes up a challenge: it is answered from now on.
    ///
    /// - Parameter challenge: What the server asks for. With a nonce that is known its count goes on.
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

    /// Takes the nonce that the server names for the next request.
    ///
    /// - Parameters:
    ///   - next: The next nonce.
    ///   - realm: The realm of the request whose response names it.
    ///   - nonce: The nonce that the request had. A response to an older one changes nothing, as its next nonce may be
    ///     in use already, and a count must not come twice.
    mutating func renew(_ next: String, realm: String, after nonce: String) {
        guard next != nonce,
            let index = sessions.firstIndex(where: { $0.challenge.realm == realm }),
            sessions[index].challenge.nonce == nonce
        else { return }
        sessions[index].challenge = sessions[index].challenge.renewed(with: next)
        sessions[index].count = 0
    }

    /// Counts one more answer to the challenge that was taken up last.
    ///
    /// - Parameter clientNonce: A new nonce of the client's. A session's secret is made of the first one (RFC 7616,
    ///   section 3.4.2), and servers differ in which one they look at, so that it stays the same there.
    /// - Returns: What to answer with; nil without a challenge, and once its nonce was counted to the end.
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

    /// 128 random bits, in hexadecimal digits.
    static func newClientNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return DigestAlgorithm.hexadecimal(
            (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        )
    }
}
