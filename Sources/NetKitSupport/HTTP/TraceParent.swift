/// The `traceparent` field of W3C Trace Context, level 1.
package enum TraceParent {
    /// Returns the field of a new span.
    ///
    /// - Parameter parent: The field of the trace to join. Nil or an invalid one begins a new trace.
    /// - Returns: The field.
    package static func child(of parent: String?) -> String {
        let (trace, flags) = parent.flatMap { self.trace($0) } ?? (digits(16), "01")
        return "00-\(trace)-\(digits(8))-\(flags)"
    }

    /// Parses the trace ID and flags of a `traceparent`.
    ///
    /// Returns nil if it is invalid.
    ///
    /// For an unknown version, only the known parts are read (section 3.3.2).
    private static func trace(_ parent: String) -> (id: String, flags: String)? {
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
