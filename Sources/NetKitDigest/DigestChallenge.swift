import NetKit

/// A supported challenge of Digest authentication (RFC 7616, section 3.3).
struct DigestChallenge: Equatable, Sendable {
    /// The quality of protection: what an answer covers besides the password (section 3.3).
    enum Quality: String, Sendable {
        /// The method and the target.
        case authentication = "auth"
        /// The method, the target, and the body.
        case integrity = "auth-int"
    }

    /// The realm that the user and the password belong to.
    let realm: String
    /// The server's nonce.
    private(set) var nonce: String
    /// The nonce of the session's secret, which is that of the challenge itself (section 3.4.2).
    let sessionNonce: String
    /// The opaque value to return unchanged, or nil if there is none.
    let opaque: String?
    /// The algorithm of the answer.
    let algorithm: DigestAlgorithm
    /// The algorithm as the server spells it, or nil if it names none.
    let algorithmName: String?
    /// The answer's `qop`, preferably `auth`, or nil for the RFC 2069 form without a count.
    let quality: Quality?
    /// Whether to hash the user name (section 3.4.4).
    let hashesUserName: Bool
    /// Whether to normalize the user name and password to form C (section 4).
    let isNormalized: Bool
    /// Whether only the previous request's nonce was wrong.
    let isStale: Bool

    /// Creates a supported challenge.
    ///
    /// Returns nil for another scheme, without a realm or a nonce, and for an unsupported algorithm or quality of
    /// protection.
    ///
    /// - Parameter challenge: The parsed challenge.
    init?(_ challenge: AuthenticationChallenge) {
        let parameters = challenge.parameters
        guard challenge.isScheme("digest"),
            let realm = parameters["realm"], let nonce = parameters["nonce"],
            let algorithm = DigestAlgorithm(parameters["algorithm"])
        else { return nil }
        let qualities = (parameters["qop"] ?? "").lowercased()
            .split { $0 == "," || $0 == " " || $0 == "\t" }
        quality = [.authentication, .integrity]
            .first { qualities.contains(Substring($0.rawValue)) }
        guard qualities.isEmpty || quality != nil else { return nil }
        self.realm = realm
        self.nonce = nonce
        sessionNonce = nonce
        self.algorithm = algorithm
        opaque = parameters["opaque"]
        algorithmName = parameters["algorithm"]
        hashesUserName = parameters["userhash"]?.lowercased() == "true"
        isNormalized = parameters["charset"]?.lowercased() == "utf-8"
        isStale = parameters["stale"]?.lowercased() == "true"
    }

    /// Returns the challenge with the server's next nonce (`nextnonce`, section 3.5).
    func renewed(with nonce: String) -> DigestChallenge {
        var challenge = self
        challenge.nonce = nonce
        return challenge
    }

    /// Returns the strongest supported challenge, or the first of equally strong ones.
    ///
    /// Servers should order them (section 3.7), but the order of fields isn't always preserved.
    ///
    /// - Parameter fieldValue: The value of `WWW-Authenticate`.
    /// - Returns: The challenge, or nil if none is supported.
    static func strongest(in fieldValue: String) -> DigestChallenge? {
        var strongest: DigestChallenge?
        for challenge in AuthenticationChallenge.challenges(in: fieldValue) {
            guard let candidate = DigestChallenge(challenge) else { continue }
            if strongest.map({ $0.strength < candidate.strength }) ?? true { strongest = candidate }
        }
        return strongest
    }

    private var strength: (Int, Int) {
        (algorithm.hash.strength, quality == nil ? 0 : 1)
    }
}
