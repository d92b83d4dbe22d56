import NetKit
import NetKitSupport

/// The name of an entry's file.
///
/// It consists of digests of its URL and partition, and a random number.
///
/// The cache never touches files with other names.
struct EntryName: Hashable, Sendable {
    /// The part of the name that the entries of a key share.
    struct Key: CacheIndexKey {
        let url: UInt64
        let partition: UInt64
    }

    /// The kinds of files.
    enum Kind: String, CaseIterable {
        /// A complete and visible entry.
        case entry
        /// An entry being written, which never outlasts its process.
        case part
    }

    /// The number of hexadecimal digits per number.
    private static let digits = 16

    let key: Key
    let random: UInt64

    /// Creates a new name.
    init(_ key: Key) {
        self.key = key
        random = .random(in: .min ... .max)
    }

    /// Parses a name, or returns nil unless it has exactly this form.
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

    /// Returns the name of the file.
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

    /// Parses lowercase hexadecimal digits.
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

/// Creates names with a secret, so that servers can't choose URLs with equal names.
struct EntryNames: Sendable {
    /// The length of a secret in bytes.
    static let secretLength = 32
    /// The number of names to keep.
    ///
    /// Computing a digest is the slowest part of a lookup.
    private static let remembered = 1024
    /// The maximum length of a URL whose name is kept.
    private static let rememberedLength = 1024

    let secret: [UInt8]
    private let memory = Locked<[CacheKey: EntryName.Key]>([:])

    init(secret: [UInt8]) {
        self.secret = secret
    }

    /// Creates a random secret.
    static func makeSecret() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<secretLength).map { _ in .random(in: .min ... .max, using: &generator) }
    }

    /// Returns the name of a key.
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

    /// Returns the name of a URL.
    func url(_ url: String) -> UInt64 { digest(of: url) }

    private func digest(of text: String) -> UInt64 {
        UInt64(bigEndian: SHA256.digest(of: secret + text.utf8)[..<8])
    }
}
