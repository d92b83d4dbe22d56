import Foundation

/// One event of a stream (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// The last event id at this event; nil as long as the stream has not set one.
    public var id: String?
    /// The type, `message` where the stream does not say.
    public var event: String
    /// The data, its lines with LF between them.
    public var data: String
    /// How long to wait before connecting again, where the event said it.
    public var retry: Duration?

    /// Makes an event.
    ///
    /// - Parameters:
    ///   - id: The last event id. Defaults to none.
    ///   - event: The type. Defaults to `message`.
    ///   - data: The data.
    ///   - retry: How long to wait before connecting again. Defaults to nothing said.
    public init(id: String? = nil, event: String = "message", data: String, retry: Duration? = nil)
    {
        self.id = id
        self.event = event
        self.data = data
        self.retry = retry
    }
}

/// Reads a response event by event.
struct EventReader {
    private var chunks: ResponseStream.AsyncIterator
    var parser: EventParser

    init(_ stream: ResponseStream, maximumEventSize: Int) {
        chunks = stream.makeAsyncIterator()
        parser = EventParser(limit: maximumEventSize)
    }

    /// The next event, nil at the end; one that was not finished by an empty line is dropped.
    ///
    /// - Throws: As ``ResponseStream/AsyncIterator/next()`` does, and ``StreamFailure/lineTooLong(limit:)``.
    @inline(never)
    mutating func next() async throws -> ServerSentEvent? {
        while true {
            if let event = try parser.next() { return event }
            guard let chunk = try await chunks.next() else { return nil }
            parser.add(chunk)
        }
    }
}

/// Reads events out of bytes; pure.
struct EventParser {
    private var splitter: LineSplitter
    private var isFirstLine = true
    private var lastID: String?
    private var type = ""
    private var data: [UInt8] = []
    private var retry: Duration?
    /// The last event id, to be sent when connecting again; also one that came without data.
    ///
    /// One that is set from outside holds until the stream says another.
    var lastEventID: String? { didSet { lastID = lastEventID } }
    /// The last `retry` that the stream said, in an event or not.
    private(set) var reconnectionTime: Duration?

    /// Makes a parser.
    ///
    /// - Parameter limit: The most bytes that a line, and the data of an event, may have.
    init(limit: Int = 16 << 20) {
        // One below the highest number: the splitter adds one to it.
        splitter = LineSplitter(limit: max(0, min(limit, .max - 1)), endsAtCarriageReturn: true)
    }

    mutating func add(_ bytes: Data) {
        splitter.add(bytes)
    }

    /// The next event, nil if there is none yet.
    ///
    /// - Throws: ``StreamFailure/lineTooLong(limit:)``.
    @inline(never)
    mutating func next() throws(StreamFailure) -> ServerSentEvent? {
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

    private mutating func take(_ line: ArraySlice<UInt8>) throws(StreamFailure) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": type = String(decoding: value, as: UTF8.self)
        case "data":
            guard data.count + value.count < splitter.limit else {
                throw .lineTooLong(limit: splitter.limit)
            }
            data += value
            data.append(UInt8(ascii: "\n"))
        case "id":
            if !value.contains(0) { lastID = String(decoding: value, as: UTF8.self) }
        case "retry":
            let isNumber = value.allSatisfy { (0x30...0x39).contains($0) }
            if isNumber, let number = Int64(String(decoding: value, as: UTF8.self)) {
                retry = .milliseconds(number)
                reconnectionTime = retry
            }
        default: break
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer { (type, data, retry) = ("", [], nil) }
        lastEventID = lastID
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            id: lastID,
            event: type.isEmpty ? "message" : type,
            data: String(decoding: data.dropLast(), as: UTF8.self),
            retry: retry
        )
    }
}
