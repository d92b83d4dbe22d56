package import Foundation
import RawCurl

/// What a Swift client over libcurl costs at least: a loop in C, a continuation for each call, and nothing else.
package final class RawCurlLoop: Sendable {
    // Proof: the loop has a lock of its own, and never ends.
    private nonisolated(unsafe) let loop: OpaquePointer?

    /// - Parameters:
    ///   - url: The URL of each request.
    ///   - connections: The maximum number of connections; nil for no limit.
    package init(_ url: URL, connections: Int? = nil) {
        loop = raw_curl_loop_start(url.absoluteString, connections ?? 0)
    }

    /// Returns the body of a response with status 200.
    package func get() async throws -> Data {
        try await withUnsafeThrowingContinuation { continuation in
            let box = Unmanaged.passRetained(Waiting(continuation))
            let isStarted = raw_curl_loop_get(
                loop,
                { context, failure, status, body, length in
                    guard let context else { return }
                    let waiting = Unmanaged<Waiting>.fromOpaque(context).takeRetainedValue()
                    guard failure == nil, status == 200, let body else {
                        let text = failure.map { String(cString: $0) } ?? "status \(status)"
                        return waiting.continuation.resume(throwing: Failure(description: text))
                    }
                    waiting.continuation.resume(returning: Data(bytes: body, count: length))
                },
                box.toOpaque()
            )
            guard !isStarted else { return }
            box.takeRetainedValue()
                .continuation.resume(throwing: Failure(description: "libcurl can't be used"))
        }
    }

    private final class Waiting {
        let continuation: UnsafeContinuation<Data, any Error>

        init(_ continuation: UnsafeContinuation<Data, any Error>) {
            self.continuation = continuation
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
