extension StringProtocol {
    /// The number that a text of ASCII digits writes, as the grammar of most fields has it.
    ///
    /// `Int("+5")` is 5, which no field means.
    ///
    /// - Parameter type: The number's type; inferred where the result's type is known.
    /// - Returns: The number; nil for any other text, a sign included, and for a number that the type cannot hold.
    package func asciiNumber<Number: FixedWidthInteger>(
        as type: Number.Type = Number.self
    ) -> Number? {
        UInt64(asciiDigits: String(self)).flatMap { Number(exactly: $0) }
    }
}

extension UInt64 {
    /// The number that digits write; nil for any other text.
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
