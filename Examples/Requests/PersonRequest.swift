import Foundation
import NetKit

/// A response whose names and dates need a decoder that is set up for them.
///
/// A class has its parameters as constants; as property wrappers they would be variables.
final class PersonRequest: Request {
    typealias ResponseObjectType = Person

    let path = "people/{id}"
    private let id: Path<Int>

    init(id: Int) {
        self.id = Path(wrappedValue: id, "id")
    }
}

/// The server writes `{"first_name": "Ada", "joined_at": "2024-05-01T09:30:00Z"}`.
struct Person: ResponseObject {
    let firstName: String
    let joinedAt: Date
}
