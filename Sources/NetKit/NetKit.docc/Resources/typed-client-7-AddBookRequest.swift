import NetKit

final class AddBookRequest: Request {
    typealias ResponseObjectType = Book
    typealias ErrorType = StoreError
    let path = "books"
    let method: HTTPMethod = .post
    let body: RequestBody?

    init(title: String) {
        body = .params(["title": title])
    }
}
