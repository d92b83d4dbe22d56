import Foundation
import NetKit

struct BooksRequest: Request {
    typealias ResponseObjectType = [Book]
    typealias ErrorType = ShopError
    let path = "books"
    @Query("page") var page: Int

    init(page: Int) {
        self.page = page
    }
}

struct LoginRequest: Request {
    typealias ResponseObjectType = Login
    typealias ErrorType = ShopError
    let path = "login"
    let method: HTTPMethod = .post
    let body: RequestBody?

    init(user: String, password: String) {
        body = .params(["user": user, "password": password])
    }
}

struct CoverUpload: MultipartFormDataRequest {
    typealias ResponseObjectType = Void
    typealias ErrorType = ShopError
    let path = "books/{id}/cover"
    let method: HTTPMethod = .put
    let files: [any MultipartFile]
    @Path("id") var book: Int

    init(_ image: Data, of book: Int) {
        files = [
            DefaultMultipartFile(
                resource: image,
                mime: .image(.png),
                name: "cover",
                fileName: "cover.png"
            )
        ]
        self.book = book
    }
}

typealias CatalogueRequest = DefaultRequest<Data, ShopError>
typealias SalesRequest = DefaultRequest<Void, ShopError>
