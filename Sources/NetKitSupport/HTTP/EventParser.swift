package import Foundation

/// A pure parser of server-sent events.
package struct EventParser {
    /// An event.
    package struct Event: Equatable, Sendable {
        /// The last event ID as of this event, or nil if none was set.
        package let id: String?
        /// The event type, `message` by default.
        package let type: String
        /// The data, with its lines joined by LF.
        package let data: String
        /// The delay before reconnecting, if the event sets one.
        package let retry: Duration?
    }

    private var splitter: LineSplitter
    private var isFirstLine = true
    private var lastID: String?
    private var type = ""
    private var data: [UInt8] = []
    private var retry: Duration?
    /// The last event ID, to send when reconnecting.
    ///
    /// Events without data set it too.
    ///
    /// A value that the caller sets applies until the stream sends another.
    package var lastEventID: String? { didSet { lastID = lastEventID } }
    /// The latest `retry` value of the stream, whether or not an event carried it.
    package private(set) var reconnectionTime: Duration?

    /// Creates a parser.
    ///
    /// - Parameter limit: The maximum size of a line, and of an event's data, in bytes. Defaults to 16 MiB.
    package init(limit: Int = 16 << 20) {
        // Stays below `Int.max`, because the splitter adds one to the limit.
        splitter = LineSplitter(limit: max(0, min(limit, .max - 1)), endsAtCarriageReturn: true)
    }

    package mutating func add(_ bytes: Data) {
        splitter.add(bytes)
    }

    /// Returns the next event, or nil if there is none yet.
    ///
    /// - Throws: ``RefusedLine``.
    @inline(never)
    package mutating func next() throws(RefusedLine) -> Event? {
        while var line = try splitter.next() {
            if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            isFirstLine = false
            if line.isEmpty {
                if let event = dispatch() { return event }
            } else {
                try take(line)
            }
        }
        return nil
    }

    private mutating func take(_ line: ArraySlice<UInt8>) throws(RefusedLine) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let name = line[..<colon]
        if name.elementsEqual("data".utf8) {
            guard data.count + value.count <= splitter.limit else {
                throw .tooLong(limit: splitter.limit)
            }
            data += value
            data.append(UInt8(ascii: "\n"))
        } else if name.elementsEqual("event".utf8) {
            type = String(decoding: value, as: UTF8.self)
        } else if name.elementsEqual("id".utf8) {
            if !value.contains(0) { lastID = String(decoding: value, as: UTF8.self) }
        } else if name.elementsEqual("retry".utf8) {
            let isNumber = value.allSatisfy { (0x30...0x39).contains($0) }
            if isNumber, let number = Int64(String(decoding: value, as: UTF8.self)) {
                retry = .milliseconds(number)
                reconnectionTime = retry
            }
        }
    }

    private mutating func dispatch() -> Event? {
        defer { (type, data, retry) = ("", [], nil) }
        lastEventID = lastID
        guard !data.isEmpty else { return nil }
        return Event(
            id: lastID,
            type: type.isEmpty ? "message" : type,
            data: String(decoding: data.dropLast(), as: UTF8.self),
            retry: retry
        )
    }
}

/// Why a line, or an event, isn't read.
package enum RefusedLine: Error, Equatable {
    /// The line, or the data of the event, is longer than a limit in bytes.
    case tooLong(limit: Int)
    /// The line isn't safe to use as text, see ``CombiningMarks``.
    case tooManyMarks
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
    /// - Throws: ``RefusedLine``.
    package mutating func next() throws(RefusedLine) -> ArraySlice<UInt8>? {
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
            guard end - start <= limit else { throw .tooLong(limit: limit) }
            let line = bytes[start..<end]
            guard !CombiningMarks.areTooMany(in: line) else { throw .tooManyMarks }
            maySkipLineFeed = byte == Self.carriageReturn
            (start, searched) = (found + 1, found + 1)
            return line
        }
        searched = bytes.count
        guard bytes.count - start <= limit + 1 else { throw .tooLong(limit: limit) }
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
    ///
    /// - Throws: ``RefusedLine``.
    package mutating func rest() throws(RefusedLine) -> ArraySlice<UInt8>? {
        guard start < bytes.count else { return nil }
        // One more was accepted, because it could have been the CR of a line ending.
        guard bytes.count - start <= limit else { throw .tooLong(limit: limit) }
        guard !CombiningMarks.areTooMany(in: bytes[start...]) else { throw .tooManyMarks }
        defer { (bytes, start, searched) = ([], 0, 0) }
        return bytes[start...]
    }
}
