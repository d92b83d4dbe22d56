import Foundation
import NetKit

/// A response that begins at once and then arrives byte by byte.
final class DripRequest: Request {
    /// `Data` is the body as it came, not decoded.
    typealias ResponseObjectType = Data

    let path = "drip"
    let queryParams: [(String, String)]

    init(bytes: Int, seconds: Int) {
        queryParams = [("numbytes", "\(bytes)"), ("duration", "\(seconds)"), ("delay", "0")]
    }
}
