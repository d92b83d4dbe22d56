import Foundation

/// An incremental parser that splits the bytes of a connection into requests.
struct RequestParser {
    /// A result of parsing.
    enum Event: Equatable {
        /// A head has arrived.
        ///
        /// Its body, if any, follows.
        case head(RequestHead)
        /// The current request is complete.
        case complete(body: Data, length: Int, trailers: [HeaderField])
    }

    private enum Phase {
        case head
        case fixed(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailers
    }

    /// Whether to keep the bytes of bodies or only count them.
    var keepsBody = true
    /// The number of body bytes of the current request so far.
    private(set) var bodyLength = 0
    /// The body of the current request so far, if it is kept.
    private(set) var body = Data()
    private var buffer = ReceiveBuffer()
    private var phase = Phase.head
    private var searched = 0
    private static let longestHead = 1 << 20

    /// Whether no byte of a next request has arrived.
    var isBetweenRequests: Bool {
        guard case .head = phase else { return false }
        return buffer.count == 0
    }

    /// Whether there are unparsed bytes.
    var hasBufferedBytes: Bool { buffer.count > 0 }

    /// The number of body bytes of the current request that have arrived, including unparsed ones.
    ///
    /// Malformed bytes aren't counted.
    var arrivedBodyLength: Int {
        // Without the body, which the copy would duplicate.
        var parser = self
        parser.keepsBody = false
        parser.body = Data()
        if case .complete(_, let length, _) = try? parser.next() { return length }
        return parser.bodyLength
    }

    /// Appends received bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        buffer.append(bytes)
    }

    /// Returns the next event, or nil until more bytes arrive.
    ///
    /// - Throws: ``MalformedRequest``, after which the connection is unusable.
    mutating func next() throws(MalformedRequest) -> Event? {
        while true {
            switch phase {
            case .head:
                guard let head = try nextHead() else { return nil }
                return .head(head)
            case .fixed(let remaining):
                let taken = takeBody(upTo: remaining)
                guard taken == remaining else {
                    phase = .fixed(remaining: remaining - taken)
                    return nil
                }
                return complete(trailers: [])
            case .chunkSize:
                guard let size = try nextChunkSize() else { return nil }
                phase = size == 0 ? .trailers : .chunk(remaining: size)
            case .chunk(let remaining):
                let taken = takeBody(upTo: remaining)
                phase = taken == remaining ? .chunkEnd : .chunk(remaining: remaining - taken)
                guard taken == remaining else { return nil }
            case .chunkEnd:
                guard buffer.count >= 2 else { return nil }
                guard buffer.starts(with: "\r\n") else {
                    throw MalformedRequest("a chunk is longer than its size says")
                }
                buffer.consume(2)
                phase = .chunkSize
            case .trailers:
                guard let trailers = try nextTrailers() else { return nil }
                return complete(trailers: trailers)
            }
        }
    }

    private mutating func nextHead() throws(MalformedRequest) -> RequestHead? {
        // RFC 9112, section 2.2: empty lines before a request are ignored.
        while searched == 0, buffer.starts(with: "\r\n") { buffer.consume(2) }
        guard let end = buffer.firstIndex(of: "\r\n\r\n", from: searched) else {
            searched = max(0, buffer.count - 3)
            guard buffer.count <= Self.longestHead else {
                throw MalformedRequest("the head is longer than \(Self.longestHead) bytes")
            }
            return nil
        }
        searched = 0
        let head: RequestHead = try read(end + 4) { bytes throws(MalformedRequest) in
            try RequestHeadParser.head(bytes)
        }
        phase = try Self.bodyPhase(of: head)
        return head
    }

    /// Returns the framing of the body: RFC 9112, section 6.3, without its leniency.
    private static func bodyPhase(of head: RequestHead) throws(MalformedRequest) -> Phase {
        let codings = head.values(of: "Transfer-Encoding")
        let lengths = head.values(of: "Content-Length")
        guard codings.isEmpty || lengths.isEmpty else {
            throw MalformedRequest("both Transfer-Encoding and Content-Length")
        }
        if let coding = codings.first {
            guard codings.count == 1, coding.lowercased() == "chunked" else {
                throw MalformedRequest("a transfer coding other than chunked")
            }
            return .chunkSize
        }
        guard let length = lengths.first else { return .fixed(remaining: 0) }
        guard lengths.count == 1, length.utf8.allSatisfy({ (48...57).contains($0) }),
            let count = Int(length)
        else { throw MalformedRequest("Content-Length is not one number") }
        return .fixed(remaining: count)
    }

    private mutating func nextChunkSize() throws(MalformedRequest) -> Int? {
        guard let end = buffer.firstIndex(of: "\r\n") else {
            guard buffer.count <= 4096 else { throw MalformedRequest("an endless chunk size") }
            return nil
        }
        let line = buffer.withBytes { String(decoding: $0[..<end], as: UTF8.self) }
        buffer.consume(end + 2)
        let digits = line.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        guard digits.utf8.count <= 15, digits.allSatisfy(\.isHexDigit),
            let size = Int(digits, radix: 16)
        else { throw MalformedRequest("a chunk size that is not a hexadecimal number") }
        return size
    }

    private mutating func nextTrailers() throws(MalformedRequest) -> [HeaderField]? {
        if buffer.starts(with: "\r\n") {
            buffer.consume(2)
            return []
        }
        guard let end = buffer.firstIndex(of: "\r\n\r\n") else {
            guard buffer.count <= 65_536 else { throw MalformedRequest("endless trailers") }
            return nil
        }
        return try read(end + 4) { bytes throws(MalformedRequest) in
            var rest = bytes[...]
            return try RequestHeadParser.fields(&rest)
        }
    }

    /// Parses and consumes the first `count` bytes.
    private mutating func read<Result>(
        _ count: Int,
        _ parse: (UnsafeRawBufferPointer) throws(MalformedRequest) -> Result
    ) throws(MalformedRequest) -> Result {
        let outcome = buffer.withBytes { bytes in
            let prefix = UnsafeRawBufferPointer(rebasing: bytes[..<count])
            return Swift.Result { () throws(MalformedRequest) in try parse(prefix) }
        }
        buffer.consume(count)
        return try outcome.get()
    }

    private mutating func takeBody(upTo limit: Int) -> Int {
        let count = min(limit, buffer.count)
        guard count > 0 else { return 0 }
        if keepsBody {
            buffer.withBytes { body.append(contentsOf: $0[..<count]) }
        }
        bodyLength += count
        buffer.consume(count)
        return count
    }

    private mutating func complete(trailers: [HeaderField]) -> Event {
        phase = .head
        defer {
            body = Data()
            bodyLength = 0
        }
        return .complete(body: body, length: bodyLength, trailers: trailers)
    }
}
