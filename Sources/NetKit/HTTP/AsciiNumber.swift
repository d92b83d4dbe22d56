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
        utf8.allSatisfy { (0x30...0x39).contains($0) } ? Number(self) : nil
    }
}
