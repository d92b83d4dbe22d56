import NetKit

/// Asks the server to answer with a certain status.
///
/// There is no `ErrorType` here, so it is `ServerMessage`, which finds a message in any body. A struct, for the
/// initializer that it has for free.
struct StatusRequest: Request {
    typealias ResponseObjectType = Void

    let code: Int
    var path: String { "status/\(code)" }
}
