import Foundation
import NetKit

/// A transport, by its name on the command line.
struct Engine: Sendable {
    let name: String
    /// Creates an endpoint over the transport.
    let endpoint: @Sendable (URL) -> Endpoint
}
