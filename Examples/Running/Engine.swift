import Foundation
import NetKit

/// What an endpoint sends its requests over, by its name on the command line.
struct Engine: Sendable {
    let name: String
    /// Makes an endpoint over it.
    let endpoint: @Sendable (URL) -> Endpoint
}
