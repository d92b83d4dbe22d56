/// The name of an entry's file: digests of its URL and its partition, and a random number.
///
/// Nothing else in a folder is ever touched.
struct EntryName: Hashable, Sendable {
    /// What the names of a key's entries have in common.
    struct Key: CacheIndexKey {
        let url: UInt64
        let partition: UInt64
    }

    /// What a file is.
    enum Kind: String, CaseIterable {
        /// Whole, and visible.
        case entry
        /// Yet to become an entry; none outlasts its process.
        case part
    }

    /// The hexadecimal digits of a number.
    private static let digits = 16

    let key: Key
    let random: UInt64

    /// Makes a new name.
    init(_ key: Key) {
        self.key = key
        random = .random(in: .min ... .max)
    }

    /// Reads a name; nil for one that is not exactly of this form.
    init?(_ text: String, _ kind: Kind) {
        let suffix = ".\(kind.rawValue)"
        guard text.hasSuffix(suffix) else { return nil }
        let parts = text.utf8.dropLast(suffix.utf8.count)
            .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            .map { Self.number($0) }
        guard parts.count == 3, let url = parts[0], let partition = parts[1], let random = parts[2]
        else { return nil }
        key = Key(url: url, partition: partition)
        self.random = random
    }

    /// The name of the file.
    func file(_ kind: Kind) -> String {
        let suffix = ".\(kind.rawValue)".utf8
        return String(unsafeUninitializedCapacity: 3 * Self.digits + 2 + suffix.count) { buffer in
            var count = 0
            func put(_ byte: UInt8) {
                buffer.initializeElement(at: count, to: byte)
                count += 1
            }
            for (index, number) in [key.url, key.partition, random].enumerated() {
                if index > 0 { put(UInt8(ascii: "-")) }
                for shift in stride(from: 60, through: 0, by: -4) {
                    let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 0xF
                    put(digit < 10 ? 0x30 + digit : 0x57 + digit)
                }
            }
            for byte in suffix { put(byte) }
            return count
        }
    }

    /// Reads lower-case hexadecimal digits.
    private static func number(_ text: Substring.UTF8View) -> UInt64? {
        guard text.count == digits else { return nil }
        var number: UInt64 = 0
        for byte in text {
            switch byte {
            case 0x30...0x39: number = number << 4 | UInt64(byte - 0x30)
            case 0x61...0x66: number = number << 4 | UInt64(byte - 0x57)
            default: return nil
            }
        }
        return number
    }
}

/// Gives keys their names, with a secret, so that no server can choose URLs whose names are equal.
struct EntryNames: Sendable {
    /// The length of a secret, in bytes.
    static let secretLength = 32
    /// How many names are remembered: a digest takes longer than everything else of a look-up.
    private static let remembered = 1024
    /// The length of the longest URL that is remembered.
    private static let rememberedLength = 1024

    let secret: [UInt8]
    private let memory = Locked<[CacheKey: EntryName.Key]>([:])

    init(secret: [UInt8]) {
        self.secret = secret
    }

    /// A new secret.
    static func makeSecret() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<secretLength).map { _ in .random(in: .min ... .max, using: &generator) }
    }

    /// The name of a key.
    func key(of key: CacheKey) -> EntryName.Key {
        if let known = memory.withLock({ $0[key] }) { return known }
        let name = EntryName.Key(url: url(key.url), partition: digest(of: key.partition))
        guard key.url.utf8.count <= Self.rememberedLength else { return name }
        memory.withLock { memory in
            if memory.count >= Self.remembered { memory.removeAll(keepingCapacity: true) }
            memory[key] = name
        }
        return name
    }

    /// The name of a URL.
    func url(_ url: String) -> UInt64 { digest(of: url) }

    private func digest(of text: String) -> UInt64 {
        UInt64(bigEndian: SHA256.digest(of: secret + text.utf8)[..<8])
    }
}
