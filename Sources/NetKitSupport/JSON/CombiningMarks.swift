/// The limit on combining marks in a row, such as accents, that makes the strings of a response safe to use.
///
/// To hash or compare a string, Swift sorts the marks that follow one character, in quadratic time. For example, a member
/// name of 128 KB of marks takes ten seconds, which nothing can interrupt. No language needs more than a few marks in a
/// row, and the Stream-Safe Text Format ends such a row after 30 (UAX #15, section 13).
package enum CombiningMarks {
    /// The maximum number of marks in a row.
    @usableFromInline package static let maximum = 256

    /// Finds the position of a mark in a row that is too long.
    ///
    /// - Parameter bytes: The UTF-8 text, which needn't be valid JSON. Marks may be written as `\u` escapes, or behind
    ///   backslashes, as in a quoted string of a field.
    /// - Returns: An error, or nil if strings of the text are safe to use.
    @usableFromInline
    package static func excess(in bytes: UnsafeBufferPointer<UInt8>) -> JSONSyntaxError? {
        let text = Text(bytes: bytes)
        // A mark has at least two bytes, so that a row that is too long includes a multiple of this distance.
        for place in stride(from: 0, to: bytes.count, by: 2 * maximum) {
            guard let start = text.start(of: text.skippingBackslash(at: place)),
                text.marks(around: start) > maximum
            else { continue }
            return JSONSyntaxError(.tooManyMarks, at: place, of: bytes.count)
        }
        return nil
    }

    /// What is wrong with a field that has a row which is too long.
    package static let problemOfField = "the value of a field has too many combining marks in a row"

    /// Whether bytes, such as those of a field value, have a row that is too long.
    @inlinable
    package static func areTooMany(in bytes: some Collection<UInt8>) -> Bool {
        guard bytes.count > 2 * maximum else { return false }
        return bytes.withContiguousStorageIfAvailable { excess(in: $0) != nil }
            ?? Array(bytes).withUnsafeBufferPointer { excess(in: $0) != nil }
    }

    /// A text of which any part can be read, forwards and backwards.
    private struct Text {
        let bytes: UnsafeBufferPointer<UInt8>

        /// Returns where the character outside of ASCII, or the escape, begins that includes a byte.
        func start(of place: Int) -> Int? {
            let isRaw = bytes[place] >= 0x80
            let nearby = max(0, place - (isRaw ? 3 : 11))...place
            guard isRaw || bytes[nearby].contains(UInt8(ascii: "\\")) else { return nil }
            return
                nearby
                .first { (bytes[$0] >= 0x80) == isRaw && end(ofCharacterAt: $0) ?? 0 > place }
        }

        /// Counts the marks in a row with the character at a position, up to one more than allowed.
        func marks(around start: Int) -> Int {
            guard isMark(at: start), let end = end(ofCharacterAt: start) else { return 0 }
            var count = 1
            var next = end
            while count <= maximum {
                next = skippingBackslash(at: next)
                guard isMark(at: next), let end = self.end(ofCharacterAt: next) else { break }
                (count, next) = (count + 1, end)
            }
            var first = start
            while count <= maximum {
                if first > 0, skippingBackslash(at: first - 1) == first { first -= 1 }
                guard first > 0, let previous = self.start(of: first - 1), isMark(at: previous)
                else { break }
                (count, first) = (count + 1, previous)
            }
            return count
        }

        /// Returns the position behind a backslash that begins no escape; any other unchanged.
        func skippingBackslash(at index: Int) -> Int {
            guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
                bytes[index + 1] >= 0x80
            else { return index }
            return index + 1
        }

        private func isMark(at index: Int) -> Bool {
            guard let value = character(at: index)?.value else { return false }
            return Unicode.Scalar(value)?.properties.canonicalCombiningClass ?? .notReordered
                != .notReordered
        }

        private func end(ofCharacterAt index: Int) -> Int? { character(at: index)?.end }

        /// Reads a character outside of ASCII, or an escape such as `\u0301` or `\ud834\udd65`.
        private func character(at index: Int) -> (value: UInt32, end: Int)? {
            guard index < bytes.count else { return nil }
            guard bytes[index] < 0x80 else { return rawCharacter(at: index) }
            guard let unit = escape(at: index) else { return nil }
            guard unit & 0xFC00 == 0xD800, let low = escape(at: index + 6), low & 0xFC00 == 0xDC00
            else { return (unit, index + 6) }
            return (0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF, index + 12)
        }

        private func rawCharacter(at index: Int) -> (value: UInt32, end: Int)? {
            let lead = bytes[index]
            let length =
                switch lead {
                case 0xC2...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF4: 4
                default: 0
                }
            guard length > 0, index + length <= bytes.count else { return nil }
            var value = UInt32(lead) & (0xFF >> UInt32(length + 1))
            for byte in bytes[(index + 1)..<(index + length)] {
                guard byte & 0xC0 == 0x80 else { return nil }
                value = value << 6 | UInt32(byte & 0x3F)
            }
            return (value, index + length)
        }

        private func escape(at index: Int) -> UInt32? {
            guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"),
                bytes[index + 1] == UInt8(ascii: "u")
            else { return nil }
            var place = index + 2
            // Bytes without four digits are no escape.
            return try? JSONString.codeUnit(in: bytes, at: &place, repairing: false)
        }
    }
}
