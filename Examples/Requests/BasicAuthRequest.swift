import NetKit

/// A request with a credential of its own, which comes before the endpoint's.
final class BasicAuthRequest: Request {
    typealias ResponseObjectType = Account

    let path: String
    let authToken: AuthToken?

    /// httpbin's path says which user and password it will accept.
    init(accepted user: String, _ password: String, sending token: AuthToken?) {
        path = "basic-auth/\(user)/\(password)"
        authToken = token
    }
}

struct Account: ResponseObject {
    let user: String
}
