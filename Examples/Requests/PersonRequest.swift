import Foundation
import NetKit

/// Requests a person, whose member names and dates need a configured decoder.
///
/// A class declares its parameters as constants, because property wrappers would be variables.
final class PersonRequest: Request {
    typealias ResponseObjectType = Person

    let path = "people/{id}"
    private let id: Path<Int>

    init(id: Int) {
        self.id = Path(wrappedValue: id, "id")
    }
}

/// The server sends `{"first_name": "Ada", "joined_at": "2024-05-01T09:30:00Z"}`.
struct Person: ResponseObject {
    let firstName: String
    let joinedAt: Date
}
