#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends a `traceparent`, by which a server's traces are joined to the client's (W3C Trace Context, level 1).
///
/// Each attempt is a span of its own. A request that has a `traceparent` is left alone.
public struct TraceContext: Interceptor {
    /// The trace that a request belongs to.
    public struct Parent: Hashable, Sendable {
        /// 32 hexadecimal digits, not all of them 0.
        let traceID: String
        /// Whether the trace is recorded.
        let isSampled: Bool

        /// Names a trace.
        ///
        /// - Parameters:
        ///   - traceID: 32 lower-case hexadecimal digits, not all of them 0; nil is returned for anything else.
        ///   - isSampled: Whether the trace is recorded. Defaults to true.
        public init?(traceID: String, isSampled: Bool = true) {
            let isHexadecimal = traceID.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            }
            guard traceID.utf8.count == 32, isHexadecimal, traceID.contains(where: { $0 != "0" })
            else { return nil }
            self.traceID = traceID
            self.isSampled = isSampled
        }

        /// Begins a new trace.
        ///
        /// - Parameter isSampled: Whether it is recorded. Defaults to true.
        public init(isSampled: Bool = true) {
            traceID = TraceContext.digits(16)
            self.isSampled = isSampled
        }
    }

    private let parent: @Sendable () -> Parent

    /// Makes the interceptor.
    ///
    /// - Parameter parent: Gives the trace that a request belongs to. Defaults to a new one for each attempt; give
    ///   that of the task to join it.
    public init(parent: @escaping @Sendable () -> Parent = { Parent() }) {
        self.parent = parent
    }

    public func intercept(
        _ request: URLRequest,
        next: @concurrent @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard request.value(forHTTPHeaderField: "traceparent") == nil else {
            return try await next(request)
        }
        let parent = parent()
        let flags = parent.isSampled ? "01" : "00"
        var request = request
        request.setValue(
            "00-\(parent.traceID)-\(Self.digits(8))-\(flags)",
            forHTTPHeaderField: "traceparent"
        )
        return try await next(request)
    }

    /// Random bytes as hexadecimal digits, not all of them 0.
    private static func digits(_ count: Int) -> String {
        let digits = Array("0123456789abcdef")
        var text = ""
        repeat {
            text = String((0..<2 * count).map { _ in digits[Int.random(in: 0..<16)] })
        } while !text.contains { $0 != "0" }
        return text
    }
}
