import NetKit

/// A call is a type: it says what is sent, what comes back and what an error looks like.
struct LoginWithFacebookRequest: Request {
    /// What a 2xx response decodes to.
    typealias ResponseObjectType = User
    /// What every other response decodes to.
    typealias ErrorType = AuthError

    /// Joined to the endpoint's base URL; a slash in front makes no difference.
    let path = "login/facebook"
    let method: HTTPMethod = .post
    let body: RequestBody?

    init(token: String) {
        // A JSON object. Values may be nested, optional, dates, UUIDs, anything Encodable.
        body = .params(["token": token])
    }
}

/// `ResponseObject` is short for `Decodable & Sendable`.
struct User: ResponseObject {
    let id: Int
    let name: String
}

/// The error body of this server: `{"message": "…", "code": 1}`.
struct AuthError: ServerError, Decodable {
    let message: String
    let code: Int
}
