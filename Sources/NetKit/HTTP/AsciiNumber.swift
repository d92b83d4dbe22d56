extension StringProtocol {
    /// Parses a nonnegative decimal integer of ASCII digits only.
    ///
    /// `Int("+5")` is 5, but most header field grammars don't allow a sign.
    ///
    /// - Parameter type: The number's type. Inferred where the context determines it.
    /// - Returns: The number, or nil for any other text, including a sign, and for a number out of the type's range.
    package func asciiNumber<Number: FixedWidthInteger>(
        as type: Number.Type = Number.self
    ) -> Number? {
        UInt64(asciiDigits: String(self)).flatMap { Number(exactly: $0) }
    }
}

extension UInt64 {
    /// Parses ASCII digits.
    ///
    /// Nil for any other text.
    @inline(never)
    fileprivate init?(asciiDigits text: String) {
        guard !text.isEmpty else { return nil }
        self = 0
        for byte in text.utf8 {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (tens, overflows) = multipliedReportingOverflow(by: 10)
            let (sum, isTooMuch) = tens.addingReportingOverflow(Self(byte - 0x30))
            guard !overflows, !isTooMuch else { return nil }
            self = sum
        }
    }
}
