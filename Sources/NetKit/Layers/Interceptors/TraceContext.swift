#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends a `traceparent`, by which a server's traces are joined to the client's (W3C Trace Context, level 1).
///
/// Each attempt is a span of its own. A request that has a `traceparent` is left alone.
public struct TraceContext: Interceptor {
    private let parent: @Sendable () -> String?

    /// Creates the interceptor.
    ///
    /// - Parameter parent: Returns the `traceparent` of the task's own trace, which each attempt then joins. Defaults to
    ///   nil: nil, and text that isn't a `traceparent`, begins a new trace for each attempt.
    public init(parent: @escaping @Sendable () -> String? = { nil }) {
        self.parent = parent
    }

    public func intercept(
        _ request: URLRequest,
        next: @concurrent @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard request.value(forHTTPHeaderField: "traceparent") == nil else {
            return try await next(request)
        }
        let (trace, flags) = parent().flatMap { Self.trace($0) } ?? (Self.digits(16), "01")
        var request = request
        request.setValue(
            "00-\(trace)-\(Self.digits(8))-\(flags)",
            forHTTPHeaderField: "traceparent"
        )
        return try await next(request)
    }

    /// The trace and the flags of a `traceparent`; nil of what is none.
    ///
    /// Of a version that is not known yet, the known parts are read (section 3.3.2).
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
