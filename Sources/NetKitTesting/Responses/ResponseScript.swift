import Foundation

/// The steps that send a response, as a pure value.
///
/// Steps are created one at a time, so that a body of a gigabyte takes the memory of one chunk.
struct ResponseScript {
    /// One step.
    enum Step: Equatable {
        case write(Data)
        case pause(Duration)
        /// Sends nothing more, until the client disconnects.
        case stall
        case close(reset: Bool)
        /// Completes the response.
        case finish(keepsAlive: Bool)
    }

    private enum Phase { case opening, delay, head, body, end, breakOff, last }
    private enum Framing { case plain, chunks }

    private let response: MockResponse
    private let opening: Data
    private let head: Data
    private let framing: Framing
    private let pieces: [Data]
    private let ending: Step
    private let interval: Duration
    /// Whether the client knows the end of the body without another byte.
    private let endsWithBody: Bool
    private var phase = Phase.opening
    private var pieceIndex = 0
    private var pieceOffset = 0
    private var bodyLeft: Int
    /// How often the last piece is repeated.
    private var repetitionsLeft = 0
    private var isPauseDue = false
    /// Whether no byte of the body was left out.
    private var isWhole = true
    private static let longestWrite = 65_536

    init(_ response: MockResponse, to request: MockResponseHead.Request) {
        self.response = response
        opening = MockResponseHead.informational(of: response)
        bodyLeft = response.breakOff?.bodyBytes ?? .max
        interval = response.pace?.interval ?? response.pieceInterval
        var endsWithBody = false
        switch response.content {
        case .fault(let fault):
            (head, framing, pieces) = (Data(), .plain, [])
            ending = Self.step(for: fault)
        case .raw(let bytes, let closesConnection):
            (head, framing, pieces) = (Data(), .plain, [bytes])
            ending = .finish(keepsAlive: !closesConnection && !response.closesConnection)
        case .flood(_, _, let count):
            (head, framing, pieces) = (Data(), .plain, response.pieces)
            ending = .finish(keepsAlive: false)
            repetitionsLeft = max(0, count - 1)
        case .body, .chunks:
            let written = MockResponseHead(response, to: request)
            head = written.bytes
            framing = written.isChunked && written.hasBody ? .chunks : .plain
            pieces = written.hasBody ? response.pieces : []
            ending = .finish(keepsAlive: written.keepsAlive)
            endsWithBody = !written.hasBody || written.length != nil
        }
        self.endsWithBody = endsWithBody
    }

    /// Returns the next step.
    ///
    /// After `stall`, `close` and `finish`, it returns the same step again.
    mutating func next() -> Step {
        var output = Data()
        while true {
            switch phase {
            case .opening:
                phase = response.delay > .zero ? .delay : .head
                output.append(opening)
                if phase == .delay, !output.isEmpty { return .write(output) }
            case .delay:
                phase = .head
                return .pause(response.delay)
            case .head:
                phase = .body
                output.append(head)
            case .body:
                if pieceIndex == pieces.count {
                    phase = breaksOffAfterBody ? .breakOff : .end
                } else if bodyLeft == 0 {
                    phase = .breakOff
                } else if isPauseDue {
                    isPauseDue = false
                    return .pause(interval)
                } else {
                    appendPortion(to: &output)
                    isPauseDue = interval > .zero
                    if isPauseDue || output.count >= Self.longestWrite { return .write(output) }
                }
            case .end:
                phase = .last
                if framing == .chunks { output.append(lastChunk) }
            case .last:
                return output.isEmpty ? ending : .write(output)
            case .breakOff:
                guard output.isEmpty else { return .write(output) }
                switch response.breakOff?.ending {
                case .stall: return .stall
                case .reset: return .close(reset: true)
                case .close, nil: return .close(reset: false)
                }
            }
        }
    }

    /// Whether the break comes behind a body that is sent whole.
    ///
    /// A stall there would reach only the next request on the connection.
    private var breaksOffAfterBody: Bool {
        switch response.breakOff?.ending {
        case nil: false
        case .stall: !endsWithBody || !isWhole
        case .close, .reset: true
        }
    }

    /// Appends the next framed portion of the body, and advances.
    private mutating func appendPortion(to output: inout Data) {
        let piece = pieces[pieceIndex]
        let rest = piece.count - pieceOffset
        // A chunk is sent whole. If the body is paced, each portion becomes a chunk.
        let limit = response.pace?.bytes ?? (framing == .chunks ? rest : Self.longestWrite)
        let announced = min(rest, limit)
        let sent = min(announced, bodyLeft)
        let start = piece.startIndex + pieceOffset
        if framing == .chunks, announced > 0 {
            output.append(contentsOf: "\(String(announced, radix: 16))\r\n".utf8)
        }
        output.append(piece[start..<(start + sent)])
        if framing == .chunks, announced > 0, sent == announced {
            output.append(contentsOf: "\r\n".utf8)
        }
        bodyLeft -= sent
        if sent < announced { isWhole = false }
        pieceOffset += announced
        guard pieceOffset >= piece.count else { return }
        pieceOffset = 0
        if repetitionsLeft > 0, pieceIndex == pieces.count - 1 {
            repetitionsLeft -= 1
        } else {
            pieceIndex += 1
        }
    }

    private var lastChunk: Data {
        var bytes = Data("0\r\n".utf8)
        for field in response.trailers?.fields ?? [] {
            bytes.append(contentsOf: "\(field.name): \(field.value)\r\n".utf8)
        }
        bytes.append(contentsOf: "\r\n".utf8)
        return bytes
    }

    private static func step(for fault: MockFault) -> Step {
        switch fault {
        case .closeBeforeHead: .close(reset: false)
        case .resetBeforeHead: .close(reset: true)
        case .stall: .stall
        case .closeReusedConnection(_, let reset): .close(reset: reset)
        }
    }
}

extension MockResponse {
    /// The body in its original pieces.
    var pieces: [Data] {
        switch content {
        case .body(let data): data.isEmpty ? [] : [data]
        case .chunks(let chunks): chunks.filter { !$0.isEmpty }
        case .raw(let bytes, _): [bytes]
        case .flood(let bytes, let beginning, let count):
            (beginning.isEmpty ? [] : [beginning]) + (count > 0 ? [bytes] : [])
        case .fault: []
        }
    }
}
