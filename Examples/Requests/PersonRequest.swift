import Foundation
import NetKit

/// A response whose names and dates need a decoder that is set up for them.
struct PersonRequest: Request {
    typealias ResponseObjectType = Person

    let path = "people/{id}"
    @Path("id") private(set) var id: Int

    init(id: Int) {
        self.id = id
    }
}

/// The server writes `{"first_name": "Ada", "joined_at": "2024-05-01T09:30:00Z"}`.
struct Person: ResponseObject {
    let firstName: String
    let joinedAt: Date
}
