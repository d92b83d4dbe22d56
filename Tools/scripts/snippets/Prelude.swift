public import Foundation
public import NetKit

// Declarations that the documentation uses without showing them.

public struct User: Codable, Sendable {
    public let id: Int

    public init(id: Int) {
        self.id = id
    }
}

public struct APIError: ServerError, Decodable {
    public let message: String
    public let code: Int
}

public struct LoginRequest: Request {
    public typealias ResponseObjectType = User
    public typealias ErrorType = APIError
    public let path = "login"
    public let method: HTTPMethod = .post
    public let body: RequestBody?

    public init(token: String) {
        body = .params(["token": token])
    }
}

public struct UserRequest: Request {
    public typealias ResponseObjectType = User
    public let path = "users/{id}"
    @Path("id") private var id: Int

    public init(id: Int) {
        self.id = id
    }
}

/// Gets a token in the place of a stale one.
public func newToken(insteadOf stale: String?) async throws -> String { "second" }

public let userRequest = UserRequest(id: 1)
public let file = URL(fileURLWithPath: "/nowhere/file")
public let endpoint = Endpoint(baseURL: URL(fileURLWithPath: "/nowhere"))
