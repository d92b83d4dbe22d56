import NetKit

/// A query is a list of pairs: it is sent in that order, and a name may come twice.
struct SearchRequest: Request {
    typealias ResponseObjectType = Echo

    let path = "get"
    let queryParams: [(String, String)]
}
