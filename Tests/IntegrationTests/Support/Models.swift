import NetKit

struct Item: Codable, Hashable, Sendable {
    let id: Int
}

struct User: Codable, Hashable, Sendable {
    let id: Int
}

/// What a server of these tests says of a failure.
struct APIError: ServerError, Decodable, Hashable {
    let message: String
}

typealias ItemRequest = DefaultRequest<Item, ServerMessage>
typealias TextRequest = DefaultRequest<String, ServerMessage>
typealias VoidRequest = DefaultRequest<Void, ServerMessage>

struct LoginRequest: Request {
    typealias ResponseObjectType = User
    typealias ErrorType = APIError
    let path = "login/facebook"
    let method: HTTPMethod = .post
    let body: RequestBody?

    init(token: String) {
        body = .params(["token": token])
    }
}
