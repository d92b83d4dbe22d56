/// A challenge of Digest authentication (RFC 7616, section 3.3) that can be answered.
struct DigestChallenge: Equatable, Sendable {
    /// What an answer proves besides that the password is known (section 3.3).
    enum Quality: String, Sendable {
        /// Method and target.
        case authentication = "auth"
        /// The body as well.
        case integrity = "auth-int"
    }

    /// Whom the user and the password are known to.
    let realm: String
    /// What the server wants to see in the answer.
    private(set) var nonce: String
    /// The nonce that a session's secret is made of: that of the challenge itself (section 3.4.2).
    let sessionNonce: String
    /// What the server wants back as it is; nil without it.
    let opaque: String?
    /// How to compute the answer.
    let algorithm: DigestAlgorithm
    /// The algorithm as the server spells it; nil where it names none.
    let algorithmName: String?
    /// What the answer has as `qop`, `auth` if the server leaves the choice; nil is the form of RFC 2069,
    /// without a count.
    let quality: Quality?
    /// Whether the user's name is to be hashed (section 3.4.4).
    let hashesUserName: Bool
    /// Whether the server wants name and password in normalisation form C (section 4).
    let isNormalized: Bool
    /// Whether only the nonce of the request before was wrong.
    let isStale: Bool

    /// Reads a challenge; nil for another scheme, without a realm or a nonce, and for an algorithm or a quality
    /// of protection that is not supported.
    ///
    /// - Parameter challenge: The challenge.
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

    /// The challenge with the nonce that the server wants to see next (`nextnonce`, section 3.5).
    func renewed(with nonce: String) -> DigestChallenge {
        var challenge = self
        challenge.nonce = nonce
        return challenge
    }

    /// The strongest of the challenges that can be answered, of equal ones the first.
    ///
    /// The RFC has the server order them (section 3.7), but the order of fields is not always kept.
    ///
    /// - Parameter fieldValue: The value of `WWW-Authenticate`.
    /// - Returns: The challenge; nil if there is none that can be answered.
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
