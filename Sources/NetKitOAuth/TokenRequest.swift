public import Foundation
public import NetKit
import NetKitSupport

/// A POST of a form to an authorization server (RFC 6749, section 3.2).
struct TokenRequest<Answer: Decodable & Sendable>: Request {
    typealias ResponseObjectType = Answer
    typealias ErrorType = OAuthError

    let path: String
    let method: HTTPMethod = .post
    let body: RequestBody?
    let headers: HTTPHeaders
    /// The endpoint's credentials are for its own server.
    let isAuthenticated = false
    let decoder: JSONDecoder? = JSONDecoder()
    /// A code or a rotating token must not be sent twice.
    let retryPolicy: RetryPolicy? = .never
    let cachePolicy: CachePolicy = .reload
    let redaction: Redaction?
    /// The error for a parameter that can't be sent.
    private let refusal: InvalidRequest?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - client: The program that asks.
    ///   - url: The URL of the server's endpoint.
    ///   - fields: The fields of the form. Those that are nil aren't sent.
    ///   - alwaysSendsID: Whether the form has the `client_id` even if the `Authorization` field has it. Defaults to false.
    init(
        _ client: Client,
        _ url: URL,
        _ fields: KeyValuePairs<String, String?>,
        alwaysSendsID: Bool = false
    ) {
        path = url.absoluteString
        refusal = client.refusal
        var headers: HTTPHeaders = [.accept: "application/json"]
        var form = fields.compactMap { name, value in value.map { (name, $0) } }
        form += client.parameters.map { ($0.key, $0.value) }
        if let id = client.id {
            if let secret = client.secret, client.authentication == .basic {
                // Section 2.3.1: both are encoded like form fields first.
                headers.authToken = .basic(
                    username: PercentEncoding.encoded(id, as: .form),
                    password: PercentEncoding.encoded(secret, as: .form)
                )
                if alwaysSendsID { form.append(("client_id", id)) }
            } else {
                form.append(("client_id", id))
                if let secret = client.secret { form.append(("client_secret", secret)) }
            }
        }
        self.headers = headers
        body = .form(form)
        let secrets: Set = [
            "access_token", "assertion", "client_secret", "device_code", "refresh_token",
            "user_code",
            // Some servers quote the token in it.
            "error_description",
        ]
        // A server's own parameters can be secret.
        redaction = Redaction(bodyFields: secrets.union(client.parameters.map(\.key)))
    }

    /// Some servers answer 200 with an error (GitHub's, for one), and others with an empty one beside a token.
    func status(of response: HTTPResponse) -> HTTPStatus {
        guard response.status.isSuccessful,
            let error = try? response.decoded(to: OAuthError.self), !error.code.rawValue.isEmpty
        else { return response.status }
        return .badRequest
    }

    /// Sends the request, whose body is secret, to the authorization server alone, whatever a redirect says.
    func response(
        by endpoint: Endpoint,
        of work: CallControl?
    ) async throws(ErrorResponse<OAuthError>) -> Response<Answer> {
        if let refusal { throw .invalidRequest(refusal) }
        let endpoint = Endpoint(like: endpoint) {
            $0.redirectPolicy = $0.redirectPolicy.withinOrigin
        }
        return try await endpoint.response(for: self, of: work)
    }
}

extension TokenRequest<TokenAnswer> {
    /// Requests a token, whose lifetime began at the latest when it was asked for.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint that sends the request.
    ///   - work: The control of the sign-in that the request is a part of. Defaults to nil for none.
    ///   - signIn: The sign-in that the token is of. Defaults to nil for unknown.
    /// - Returns: The access token and the refresh token.
    /// - Throws: The call's error.
    func token(
        by endpoint: Endpoint,
        of work: CallControl? = nil,
        signIn: ProcessUniqueID? = nil
    ) async throws(ErrorResponse<OAuthError>) -> (access: BearerToken, refresh: String?) {
        let date = endpoint.clock.date
        let answer = try await response(by: endpoint, of: work).value
        // Some servers say 0 for a token without an end.
        let seconds = answer.lifetime.flatMap { $0 > 0 ? min($0, 1e10) : nil }
        // It is replaced this much earlier, which leaves at least half of a short lifetime.
        let leeway = BearerAuthentication.fetchLeeway / .seconds(1)
        let expires = seconds.map { date.addingTimeInterval(max($0, $0 / 2 + leeway)) }
        let token = BearerToken(answer.accessToken, expires: expires, signIn: signIn)
        return (token, answer.refreshToken)
    }
}

/// What the program says of itself in each request to the authorization server.
struct Client: Sendable {
    /// Nil if the grant itself says who asks.
    var id: String?
    /// Nil for a program that can't keep a secret.
    var secret: String?
    var authentication = OAuthTokenSource.ClientAuthentication.basic
    /// Other parameters of the form.
    var parameters: KeyValuePairs<String, String> = [:]

    /// Parameters that must not be sent twice (RFC 6749, section 3.2).
    private static let own: Set = [
        "grant_type", "refresh_token", "device_code", "assertion", "scope",
    ]

    /// The error for a parameter that can't be sent, or nil if there is none.
    var refusal: InvalidRequest? {
        // An assertion says who asks, but some servers want the client too.
        let own = Self.own.union(id == nil ? [] : ["client_id", "client_secret"])
        let refused = parameters.first { $0.key.isEmpty || own.contains($0.key) }
        return refused.map { name, _ in
            InvalidRequest(
                .unencodableBody(name),
                name.isEmpty
                    ? "a parameter has no name" : "the token source sets this parameter itself"
            )
        }
    }
}

/// The answer to a successful token request (RFC 6749, section 5.1).
struct TokenAnswer: Decodable, Sendable {
    let accessToken: String
    /// The lifetime in seconds, or nil if the server doesn't tell.
    let lifetime: Double?
    let refreshToken: String?

    private enum Keys: String, CodingKey {
        case accessToken = "access_token"
        case type = "token_type"
        case lifetime = "expires_in"
        case refreshToken = "refresh_token"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Keys.self)
        accessToken = try members.decode(String.self, forKey: .accessToken)
        // Neither token is ever empty (RFC 6749, appendix A).
        refreshToken = try members.decodeIfPresent(String.self, forKey: .refreshToken)
            .flatMap { $0.isEmpty ? nil : $0 }
        lifetime = try members.decodeIfPresent(Seconds.self, forKey: .lifetime)?.value
        guard !accessToken.isEmpty else {
            throw DecodingError.dataCorruptedError(
                forKey: .accessToken,
                in: members,
                debugDescription: "the token is empty"
            )
        }
        // Some servers name no type, or one of their own for a bearer token.
        let type = try members.decodeIfPresent(String.self, forKey: .type)?.lowercased()
        if let type, UnsupportedTokenType.names.contains(type) {
            throw UnsupportedTokenType(name: type)
        }
    }
}

/// A type of access token that a request needs more for than the token.
struct UnsupportedTokenType: LocalizedError, DescribedForLogs {
    /// The types, in lowercase letters: of RFC 9449, two drafts, and of RFC 8693 for what is no access token.
    static let names: Set = ["dpop", "mac", "pop", "n_a"]

    /// One of the names, so that nothing that a server sent is quoted.
    let name: String

    var description: String {
        "the token_type is \"\(name)\", and only bearer tokens are supported"
    }
    var errorDescription: String? { description }
}

/// A number of seconds, which some servers send as a string.
struct Seconds: Decodable, Sendable {
    /// The seconds, or nil for a string without a finite number, such as `nan`.
    let value: Double?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try? container.decode(String.self)
        let number = try text.map { Double($0) } ?? container.decode(Double.self)
        value = number.flatMap { $0.isFinite ? $0 : nil }
    }
}

/// An error of an authorization server (RFC 6749, section 5.2, and RFC 8628, section 3.5).
///
/// A call that waited for the token fails with ``ErrorResponse/interceptor(_:)``. Its error is an
/// `ErrorResponse<OAuthError>`, or the `OAuthError` itself if the user didn't enter a device code in time:
///
/// ```swift
/// if case .interceptor(let refresh as ErrorResponse<OAuthError>) = error, refresh.requiresSignIn {
///     print("sign in again")
/// }
/// ```
public struct OAuthError: ServerError, Error, Hashable {
    /// An error code, such as `invalid_grant`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as the server sent it.
        public let rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The grant or the refresh token is invalid, expired or revoked: the user must sign in again.
        ///
        /// Some servers have another code for it: see ``ErrorResponse/requiresSignIn``.
        public static let invalidGrant = Code(rawValue: "invalid_grant")
        /// The client is unknown, or its secret is wrong.
        public static let invalidClient = Code(rawValue: "invalid_client")
        /// The user or the server denied the request.
        public static let accessDenied = Code(rawValue: "access_denied")
        /// The device code expired before the user entered it.
        public static let expiredToken = Code(rawValue: "expired_token")

        static let authorizationPending = Code(rawValue: "authorization_pending")
        static let slowDown = Code(rawValue: "slow_down")
    }

    /// The error code.
    public let code: Code
    /// The server's explanation for developers, or nil if there is none.
    public let details: String?
    /// The URL of a page about the error, or nil if there is none.
    public let page: URL?

    /// The explanation, or else the code.
    public var message: String { details ?? code.rawValue }
}

extension OAuthError: Decodable {
    private enum Keys: String, CodingKey {
        case error
        case details = "error_description"
        case page = "error_uri"
    }

    /// Decodes the JSON of an error response.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if there is no `error`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Keys.self)
        code = Code(rawValue: try members.decode(String.self, forKey: .error))
        details = try? members.decodeIfPresent(String.self, forKey: .details)
        let address = try? members.decodeIfPresent(String.self, forKey: .page)
        page = address.flatMap { URL(string: $0) }
    }
}

extension ErrorResponse<OAuthError> {
    /// Whether the server refused the user's grant or refresh token, so that the user must sign in again.
    ///
    /// Servers have various codes for it: `invalid_grant` (RFC 6749, section 5.2), `bad_refresh_token`,
    /// `invalid_refresh_token`, `expired_refresh_token`, `refresh_token_expired`, `invalid_token`, `token_expired`,
    /// `token_revoked`, `expired_token`, `access_denied`, `interaction_required`, `login_required` and `consent_required`, in
    /// either case. It is false for others, which may be a fault of the client or the server, and with another status code
    /// than 400, 401 and 403.
    public var requiresSignIn: Bool {
        guard let code = serverError?.code, let status else { return false }
        return [400, 401, 403].contains(status)
            && OAuthError.Code.ofDeadGrants.contains(code.rawValue.lowercased())
    }
}

extension OAuthError.Code {
    /// What servers call a grant or a refresh token that is no longer valid, in lowercase.
    fileprivate static let ofDeadGrants: Set = [
        "invalid_grant", "bad_refresh_token", "invalid_refresh_token", "expired_refresh_token",
        "refresh_token_expired", "invalid_token", "token_expired", "token_revoked", "expired_token",
        "access_denied", "interaction_required", "login_required", "consent_required",
    ]
}
