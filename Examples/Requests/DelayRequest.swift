import NetKit

/// Requests a response that begins after a delay.
///
/// A struct, for its memberwise initializer.
struct DelayRequest: Request {
    typealias ResponseObjectType = Void

    let seconds: Int
    var path: String { "delay/\(seconds)" }
}
