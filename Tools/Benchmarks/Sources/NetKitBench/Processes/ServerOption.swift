import ArgumentParser
import Foundation

/// The server that a worker's process calls.
struct ServerOption: ParsableArguments {
    @Option var baseURL: String

    /// The server's URL.
    var url: URL {
        get throws {
            guard let url = URL(string: baseURL) else {
                throw ValidationError("--base-url is not a URL")
            }
            return url
        }
    }
}
