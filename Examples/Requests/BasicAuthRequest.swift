import NetKit

/// A request with its own credential, which replaces the endpoint's.
final class BasicAuthRequest: Request {
    typealias ResponseObjectType = Account

    let path: String
    let authToken: AuthToken?

    /// httpbin reads the accepted user name and password from the path.
    init(accepted user: String, _ password: String, sending token: AuthToken?) {
        path = "basic-auth/\(user)/\(password)"
        authToken = token
    }
}

struct Account: ResponseObject {
    let user: String
}
