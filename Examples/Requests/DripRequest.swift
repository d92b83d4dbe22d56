import Foundation
import NetKit

/// Requests a response that arrives slowly, byte by byte.
final class DripRequest: Request {
    /// `Data` is the undecoded body.
    typealias ResponseObjectType = Data

    let path = "drip"
    let queryParams: [(String, String)]

    init(bytes: Int, seconds: Int) {
        queryParams = [("numbytes", "\(bytes)"), ("duration", "\(seconds)"), ("delay", "0")]
    }
}
