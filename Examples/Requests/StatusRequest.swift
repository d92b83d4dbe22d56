import NetKit

/// Requests a response with a given status code.
///
/// `ErrorType` defaults to `ServerMessage`, which finds a message in JSON, HTML or text. A struct, for its memberwise
/// initializer.
struct StatusRequest: Request {
    typealias ResponseObjectType = Void

    let code: Int
    var path: String { "status/\(code)" }
}
