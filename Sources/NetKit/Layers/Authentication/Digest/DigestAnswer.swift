import Foundation

/// The answer to a challenge: the value of `Authorization` (RFC 7616, section 3.4).
struct DigestAnswer {
    /// Who answers.
    let user: DigestUser
    /// What is answered.
    let challenge: DigestChallenge
    /// The request's method, as sent.
    let method: String
    /// The request's target, as sent.
    let target: String
    /// How many requests have had the nonce, with this one.
    let count: UInt32
    /// What the client adds to the server's nonce.
    let clientNonce: String
    /// The digest of the body, for an answer that proves it.
    var bodyDigest = ""

    /// The value of the field.
    var fieldValue: String {
        let algorithm = challenge.algorithm
        // The client's nonce is sent where the server needs it to compute the same.
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

    /// What proves that the password is known (sections 3.4.1 to 3.4.3).
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

    /// The count in eight digits.
    private var countText: String {
        let digits = String(count, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The user's name: hashed, as it is, or in the form of RFC 8187 if it is not for quotes.
    private var nameParameters: [(String, String)] {
        let name = userName
        if challenge.hashesUserName {
            let hash = challenge.algorithm.digest(of: [name, challenge.realm])
            return [("username", QuotedString.quoting(hash))]
        }
        guard name.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return [("username*", "UTF-8''\(Self.percentEncoded(name))")]
        }
        return [("username", QuotedString.quoting(name))]
    }

    private static func percentEncoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        PercentEncoding.append(text, as: .queryValue, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Who answers, and what the answers prove.
struct DigestUser: Sendable {
    let name: String
    let password: String
}

extension DigestUser: Concealed {
    /// Neither name nor password: what is printed must not give them away.
    var description: String { "digest ‹redacted›" }
}
