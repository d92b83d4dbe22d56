import NetKit

/// Groups requests as the cases of an enum.
///
/// Each case stands for its own request type, with or without a body.
enum ShopModule: Module {
    case browse(page: Int)
    case buy(Purchase)

    var request: any Request {
        switch self {
        case .browse(let page): BrowseRequest(page: page)
        case .buy(let purchase): PurchaseRequest(purchase: purchase)
        }
    }
}

struct Purchase: Codable, Hashable, Sendable {
    let item: String
    let count: Int
    let options: [String]
    let gift: Gift

    struct Gift: Codable, Hashable, Sendable {
        let isWrapped: Bool
        let cardText: String?
    }
}

/// A struct, because of its property wrapper.
struct BrowseRequest: Request {
    typealias ResponseObjectType = Echo

    let path = "get"
    @Query("page") private(set) var page: Int

    init(page: Int) {
        self.page = page
    }
}

/// Sends an object as the fields of a form, in declaration order.
///
/// A struct, because of its property wrapper.
struct PurchaseRequest: Request {
    typealias ResponseObjectType = Echo

    let path = "post"
    let method = HTTPMethod.post
    @Object(encoder: .snakeCase, encoding: .form(URLEncoding(arrays: .repeated)))
    private(set) var purchase: Purchase

    init(purchase: Purchase) {
        self.purchase = purchase
    }
}
