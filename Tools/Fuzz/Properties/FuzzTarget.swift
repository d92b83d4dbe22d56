/// A parser of input from outside, with what has to hold for each input.
package struct FuzzTarget: Sendable {
    /// The name: that of the folder with its corpus too.
    package let name: String
    /// Whether the first line of an input says how the rest is read; it is no part of what is repeated.
    let hasFirstLine: Bool
    /// Reads an input.
    ///
    /// Throws a ``Finding`` for a property that does not hold.
    package let check: @Sendable (FuzzInput) throws -> Void

    init(
        _ name: String,
        hasFirstLine: Bool = false,
        _ check: @escaping @Sendable (FuzzInput) throws -> Void
    ) {
        self.name = name
        self.hasFirstLine = hasFirstLine
        self.check = check
    }

    /// A long input made of a short one, for the time that it takes: all of it many times over.
    ///
    /// Each `0` becomes the number of its repetition, so that names that have one differ.
    ///
    /// - Parameters:
    ///   - input: The short input.
    ///   - length: How many bytes the long one has at least.
    /// - Returns: The long input; nil of one without anything to repeat.
    package func repeated(_ input: FuzzInput, to length: Int) -> FuzzInput? {
        var bytes: [UInt8] = []
        var unit = input.bytes[...]
        if hasFirstLine {
            bytes = unit.prefix { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")]
            unit = unit.dropFirst(bytes.count)
        }
        guard !unit.isEmpty else { return nil }
        var number = 0
        while bytes.count < length {
            for byte in unit {
                if byte == UInt8(ascii: "0") {
                    bytes += String(number).utf8
                } else {
                    bytes.append(byte)
                }
            }
            number += 1
        }
        return FuzzInput(bytes)
    }
}

extension FuzzTarget {
    /// Everything that is fuzzed.
    package static let all: [FuzzTarget] =
        json + streams + fields + cookies + cache + authentication + multipart
        + redaction
        + recordings
        + addresses
        + commands
}
