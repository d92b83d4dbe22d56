import NetKit

/// Sends a query: name–value pairs in order, with repeated names allowed.
///
/// A struct, for its memberwise initializer.
struct SearchRequest: Request {
    typealias ResponseObjectType = Echo

    let path = "get"
    let queryParams: [(String, String)]
}
