/// Random decisions that are the same on every machine and in every run, independent of threads.
///
/// Each decision depends only on the seed and its subject, not on the order of calls.
struct SeededChance: Sendable {
    let seed: UInt64

    /// Returns whether an event of a probability happens.
    ///
    /// - Parameters:
    ///   - probability: The probability, from 0 (never) to 1 (always).
    ///   - subject: The subject of the decision.
    ///   - number: The number of the decision for that subject.
    /// - Returns: Whether the event happens.
    func happens(_ probability: Double, to subject: String, number: Int) -> Bool {
        // The upper 53 bits give uniform numbers from 0 up to, but not including, 1.
        Double(bits(subject, number) >> 11) / Double(1 << 53 as UInt64) < probability
    }

    private func bits(_ subject: String, _ number: Int) -> UInt64 {
        // FNV-1a of the text, then two rounds of SplitMix64.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in subject.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let mixed = Self.mixed(hash ^ Self.mixed(seed))
        return Self.mixed(mixed &+ UInt64(bitPattern: Int64(number)))
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var generator = SeededGenerator(seed: value)
        return generator.next()
    }
}
