import NetKit

final class BookRequest: Request {
    typealias ResponseObjectType = Book
    typealias ErrorType = StoreError
    let path: String

    init(id: Int) {
        path = "books/\(id)"
    }
}
