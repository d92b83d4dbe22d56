/// Chances that come out the same on every machine and in every run, whichever thread asks first.
///
/// Nothing is drawn from a row of numbers, in which the order of asking would count: each chance is made
/// from the seed and from what it is about.
struct SeededChance: Sendable {
    let seed: UInt64

    /// Whether something of this probability happens.
    ///
    /// - Parameters:
    ///   - probability: Between 0, never, and 1, always.
    ///   - subject: What it is about.
    ///   - number: Which time it is asked about that.
    /// - Returns: Whether it does.
    func happens(_ probability: Double, to subject: String, number: Int) -> Bool {
        // The upper 53 bits make the evenly spread numbers from 0 up to, but not including, 1.
        Double(bits(subject, number) >> 11) / Double(1 << 53 as UInt64) < probability
    }

    private func bits(_ subject: String, _ number: Int) -> UInt64 {
        // FNV-1a over the text, then two rounds of SplitMix64.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in subject.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let mixed = Self.mixed(hash ^ Self.mixed(seed))
        return Self.mixed(mixed &+ UInt64(bitPattern: Int64(number)))
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
