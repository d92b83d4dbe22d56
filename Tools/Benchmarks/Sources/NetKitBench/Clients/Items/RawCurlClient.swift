import Foundation
import RawCurl

/// The limit of a client over libcurl: a loop in C over its multi interface, on one thread.
struct RawCurlClient: ItemFetching {
    private let source: ItemSource

    init(_ source: ItemSource) {
        self.source = source
    }

    func fetchItems(_ count: Int, inFlight: Int) async throws {
        try await Self.onThread {
            // JSONDecoder isn't made anew for each item.
            let decoder = Unmanaged.passRetained(JSONDecoder())
            defer { decoder.release() }
            return raw_curl_get(
                source.url.absoluteString,
                count,
                inFlight,
                source.connections ?? 0,
                { context, body, length in
                    guard let context, let body else { return false }
                    let decoder = Unmanaged<JSONDecoder>.fromOpaque(context).takeUnretainedValue()
                    let data = Data(bytes: body, count: length)
                    return (try? decoder.decode(Item.self, from: data)) == .sample
                },
                decoder.toOpaque()
            )
        }
    }

    /// Runs a function of C on a thread of its own, and throws the text that it returns.
    static func onThread(
        _ body: @escaping @Sendable () -> UnsafePointer<CChar>?
    ) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            Thread {
                if let failure = body() {
                    continuation.resume(throwing: CurlFailure(text: String(cString: failure)))
                } else {
                    continuation.resume()
                }
            }
            .start()
        }
    }

    /// What the loop says went wrong.
    private struct CurlFailure: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }
}
