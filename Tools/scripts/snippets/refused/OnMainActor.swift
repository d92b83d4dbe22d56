// options: -default-isolation MainActor
// error: type 'UserRequest' does not conform to protocol 'Request'
// error: unavailable property 'responseDecoding' was used to satisfy a requirement of protocol 'Request': the response type must be Decodable or Void, or the request must declare a responseDecoding. In a module isolated to the main actor, declare the response type 'nonisolated'.

import NetKit

struct User: Codable, Sendable {
    let name: String
}

struct UserRequest: Request {
    typealias ResponseObjectType = User
    let path = "users/1"
}
