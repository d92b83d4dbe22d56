import Foundation

/// A server-sent event (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// The last event ID as of this event, or nil if none was set.
    public var id: String?
    /// The event type.
    ///
    /// Defaults to `message`.
    public var event: String
    /// The data, with its lines joined by LF.
    public var data: String
    /// The delay before reconnecting, if the event sets one.
    public var retry: Duration?

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - id: The last event ID. Defaults to nil.
    ///   - event: The event type. Defaults to `message`.
    ///   - data: The data.
    ///   - retry: The delay before reconnecting. Defaults to nil.
    public init(id: String? = nil, event: String = "message", data: String, retry: Duration? = nil)
    {
        self.id = id
        self.event = event
        self.data = data
        self.retry = retry
    }
}

/// A reader that parses a response into events.
struct EventReader {
    private var chunks: ResponseStream.AsyncIterator
    var parser: EventParser

    init(_ stream: ResponseStream, maximumEventSize: Int) {
        chunks = stream.makeAsyncIterator()
        parser = EventParser(limit: maximumEventSize)
    }

    /// Returns the next event, or nil at the end.
    ///
    /// An event without its closing empty line is dropped.
    ///
    /// - Throws: The errors of ``ResponseStream/AsyncIterator/next()``, and ``StreamFailure/lineTooLong(limit:)``.
    @inline(never)
    mutating func next() async throws -> ServerSentEvent? {
        while true {
            if let event = try parser.next() { return event }
            guard let chunk = try await chunks.next() else { return nil }
            parser.add(chunk)
        }
    }
}

/// A pure parser of server-sent events.
struct EventParser {
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
    var lastEventID: String? { didSet { lastID = lastEventID } }
    /// The latest `retry` value of the stream, whether or not an event carried it.
    private(set) var reconnectionTime: Duration?

    /// Creates a parser.
    ///
    /// - Parameter limit: The maximum size of a line, and of an event's data, in bytes. Defaults to 16 MiB.
    init(limit: Int = 16 << 20) {
        // Stays below `Int.max`, because the splitter adds one to the limit.
        splitter = LineSplitter(limit: max(0, min(limit, .max - 1)), endsAtCarriageReturn: true)
    }

    mutating func add(_ bytes: Data) {
        splitter.add(bytes)
    }

    /// Returns the next event, or nil if there is none yet.
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
