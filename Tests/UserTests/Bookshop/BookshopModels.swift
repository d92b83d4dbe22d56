import Foundation
import NetKit

/// A book of the shop that these tests are about.
struct Book: Codable, Hashable, Sendable {
    let id: Int
    let title: String
    var publishedAt: Date?
}

/// What a login gives.
struct Login: Codable, Hashable, Sendable {
    let accessToken: String
}

/// What the shop says when it refuses.
struct ShopError: ServerError, Codable, Hashable {
    let message: String
}

/// How many of a book were sold, as the shop says while it happens.
struct Sale: Codable, Hashable, Sendable {
    let book: Int
    let count: Int
}
