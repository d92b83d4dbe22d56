import Crypto
import Foundation
import NetKit

/// What the API says of the token that opens it.
struct Account: Decodable, Equatable {
    let user: String
    let scope: String
}

struct AccountRequest: Request {
    typealias ResponseObjectType = Account
    let path = "me"
}

/// Arranges what the authorization server will do for the realm of the endpoint's base URL.
struct ArrangeRequest: Request {
    struct Arrangement: Encodable {
        var signsIn = false
        /// What the polls of a device are answered with, before the user's decision counts.
        var answers: [String] = []
        var isApproved = true
    }

    struct SignedIn: Decodable {
        /// Empty without a signed-in user.
        let refresh: String
    }

    typealias ResponseObjectType = SignedIn
    let path = "grant"
    let method: HTTPMethod = .post
    let isAuthenticated = false
    @Object private(set) var arrangement: Arrangement

    init(_ arrangement: Arrangement) {
        self.arrangement = arrangement
    }
}

/// The requests of tokens that arrived, and how they were answered.
struct TokenRequests: Request {
    struct Arrived: Decodable, Equatable {
        let grant: String?
        let scope: String?
        let client: String?
        let error: String?

        init(_ grant: String, client: String?, scope: String? = nil, error: String? = nil) {
            (self.grant, self.client, self.scope, self.error) = (grant, client, scope, error)
        }
    }

    typealias ResponseObjectType = [Arrived]
    let path = "requests"
    let isAuthenticated = false
}

/// Ends a token before its time (RFC 7009).
struct RevokeRequest: Request {
    typealias ResponseObjectType = Void
    let path = "revoke"
    let method: HTTPMethod = .post
    let isAuthenticated = false
    let body: RequestBody?

    init(_ token: String) {
        body = .form([("token", token), ("client_id", "app")])
    }
}

/// A JSON Web Token (RFC 7519) with a signature by HMAC with SHA-256.
struct Assertion {
    var issuer = "robot"
    var subject = "ada"
    let audience: URL
    var expires = Date(timeIntervalSinceNow: 300)
    var key = "a key of at least thirty-two bytes, for HMAC"

    func signed() throws -> String {
        let claims: [String: JSONValue] = [
            "iss": .string(issuer), "sub": .string(subject),
            "aud": .string(audience.absoluteString),
            "exp": .number(Decimal(Int(expires.timeIntervalSince1970))),
        ]
        let encoder = JSONEncoder()
        let text = try [encoder.encode(["alg": "HS256"]), encoder.encode(claims)]
            .map(Self.encoded)
            .joined(separator: ".")
        let signature = HMAC<SHA256>
            .authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: Data(key.utf8)))
        return "\(text).\(Self.encoded(Data(signature)))"
    }

    private static func encoded(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}
