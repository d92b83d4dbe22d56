import NetKit

/// A response that takes its time before it begins.
///
/// A struct, for the initializer that it has for free.
struct DelayRequest: Request {
    typealias ResponseObjectType = Void

    let seconds: Int
    var path: String { "delay/\(seconds)" }
}
