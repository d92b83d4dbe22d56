import NetKit

/// Places an order, which must not happen twice.
final class PlaceOrderRequest: Request {
    typealias ResponseObjectType = Order

    let path = "orders"
    let method: HTTPMethod = .post
    let body: RequestBody?

    init(article: String, count: Int) {
        body = .params(["article": article, "count": count])
    }
}

struct Order: ResponseObject {
    let number: Int
}
