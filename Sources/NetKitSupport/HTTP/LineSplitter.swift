package import Foundation

/// A line, or the data of an event, that is longer than a limit in bytes.
package struct LineTooLong: Error {
    package let limit: Int
}

/// A pure parser that splits chunks of bytes into lines.
package struct LineSplitter {
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// The maximum length of a line, in bytes.
    package let limit: Int
    /// Whether a lone CR also ends a line, as in server-sent events.
    package let endsAtCarriageReturn: Bool
    private var bytes: [UInt8] = []
    /// The start of the next line.
    private var start = 0
    /// The index up to which the search found no line ending.
    private var searched = 0
    /// Whether the last line ended with a CR that an LF may follow.
    private var maySkipLineFeed = false

    package init(limit: Int, endsAtCarriageReturn: Bool) {
        self.limit = limit
        self.endsAtCarriageReturn = endsAtCarriageReturn
    }

    package mutating func add(_ data: Data) {
        if start > 0 {
            bytes.removeFirst(start)
            (searched, start) = (searched - start, 0)
        }
        bytes += data
    }

    /// Returns the next complete line, or nil if there is none yet.
    ///
    /// - Throws: ``LineTooLong``.
    package mutating func next() throws(LineTooLong) -> ArraySlice<UInt8>? {
        if maySkipLineFeed, start < bytes.count {
            maySkipLineFeed = false
            if bytes[start] == Self.lineFeed { start += 1 }
            searched = max(searched, start)
        }
        if let found = lineEnding() {
            let byte = bytes[found]
            var end = found
            if byte == Self.lineFeed, end > start, bytes[end - 1] == Self.carriageReturn {
                end -= 1
            }
            guard end - start <= limit else { throw LineTooLong(limit: limit) }
            let line = bytes[start..<end]
            maySkipLineFeed = byte == Self.carriageReturn
            (start, searched) = (found + 1, found + 1)
            return line
        }
        searched = bytes.count
        guard bytes.count - start <= limit + 1 else { throw LineTooLong(limit: limit) }
        return nil
    }

    /// Returns the index of the next byte that ends a line, or nil if there is none yet.
    private func lineEnding() -> Int? {
        let other = endsAtCarriageReturn ? Self.carriageReturn : Self.lineFeed
        return bytes.withUnsafeBufferPointer { bytes in
            bytes[min(searched, bytes.count)...]
                .firstIndex { $0 == Self.lineFeed || $0 == other }
        }
    }

    /// Returns the bytes behind the last line ending, or nil if there are none.
    package mutating func rest() -> ArraySlice<UInt8>? {
        guard start < bytes.count else { return nil }
        defer { (bytes, start, searched) = ([], 0, 0) }
        return bytes[start...]
    }
}
