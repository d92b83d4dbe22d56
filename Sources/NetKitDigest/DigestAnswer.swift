import Foundation
import NetKit

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

/// A user name and a password for Digest authentication.
struct DigestUser: Sendable {
    let name: String
    let password: String
}

extension DigestUser: Concealed {
    /// A redacted description, without user name and password.
    var description: String { "digest ‹redacted›" }
}
