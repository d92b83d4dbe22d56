/// Random bytes that nobody can guess.
enum RandomSecret {
    /// Creates 32 bytes.
    static func bytes() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
