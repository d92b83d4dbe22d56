/// An interceptor that sends `traceparent`, which joins client and server traces.
///
/// It follows W3C Trace Context, level 1. Each attempt is a separate span. A request that already has a `traceparent`
/// keeps it. A tracer, such as the adapter for swift-distributed-tracing, replaces the field in each exchange.
public struct TraceContext: Interceptor {
    private let parent: @Sendable () -> String?

    /// Creates the interceptor.
    ///
    /// - Parameter parent: A closure that returns the `traceparent` of the current task's trace, which each attempt
    ///   joins. Nil or an invalid value starts a new trace for each attempt. Defaults to a closure that returns nil.
    public init(parent: @escaping @Sendable () -> String? = { nil }) {
        self.parent = parent
    }

    public func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        guard request.headers["traceparent"] == nil else { return try await next(request) }
        let (trace, flags) = parent().flatMap { Self.trace($0) } ?? (Self.digits(16), "01")
        var request = request
        request.headers["traceparent"] = "00-\(trace)-\(Self.digits(8))-\(flags)"
        return try await next(request)
    }

    /// Parses the trace ID and flags of a `traceparent`.
    ///
    /// Returns nil if it is invalid.
    ///
    /// For an unknown version, only the known parts are read (section 3.3.2).
    static func trace(_ parent: String) -> (id: String, flags: String)? {
        let parts = parent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            zip(parts, [2, 32, 16, 2]).allSatisfy({ isHexadecimal($0, count: $1) }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }),
            let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        return (String(parts[1]), flags & 1 == 1 ? "01" : "00")
    }

    private static func isHexadecimal(_ text: Substring, count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Returns random bytes in hexadecimal, not all 0.
    private static func digits(_ count: Int) -> String {
        let digits = Array("0123456789abcdef")
        var text = ""
        repeat {
            text = String((0..<2 * count).map { _ in digits[Int.random(in: 0..<16)] })
        } while !text.contains { $0 != "0" }
        return text
    }
}
