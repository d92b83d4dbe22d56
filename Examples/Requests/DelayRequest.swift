import NetKit

/// A response that takes its time before it begins.
struct DelayRequest: Request {
    typealias ResponseObjectType = Void

    let seconds: Int
    var path: String { "delay/\(seconds)" }
}
