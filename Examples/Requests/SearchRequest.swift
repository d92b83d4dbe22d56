import NetKit

/// A query is a list of pairs: it is sent in that order, and a name may come twice.
///
/// A struct, for the initializer that it has for free.
struct SearchRequest: Request {
    typealias ResponseObjectType = Echo

    let path = "get"
    let queryParams: [(String, String)]
}
