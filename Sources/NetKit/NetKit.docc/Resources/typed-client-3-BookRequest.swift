import NetKit

final class BookRequest: Request {
    typealias ResponseObjectType = Book
    let path: String

    init(id: Int) {
        path = "books/\(id)"
    }
}
