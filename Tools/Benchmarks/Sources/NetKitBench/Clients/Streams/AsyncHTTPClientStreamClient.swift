import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// AsyncHTTPClient's body with a loop over its bytes written by hand.
struct AsyncHTTPClientStreamClient: StreamReading {
    private let baseURL: URL
    private let client = HTTPClient.measured()
    private let decoder = JSONDecoder()

    init(baseURL: URL) {
        self.baseURL = baseURL
    }

    func read(_ content: StreamContent, count: Int) async throws -> Int {
        let text = content.text
        let url = baseURL.appendingPathComponent(content.path(count)).absoluteString
        let response = try await client.execute(HTTPClientRequest(url: url), timeout: .minutes(10))
        guard response.status == .ok else { throw WrongAnswer.status(Int(response.status.code)) }
        var pending = ByteBuffer()
        var event = Event()
        var found = 0
        for try await chunk in response.body {
            pending.discardReadBytes()
            var chunk = chunk
            if pending.readableBytes == 0 { pending = chunk } else { pending.writeBuffer(&chunk) }
            while let line = pending.readLine() {
                switch content {
                case .lines:
                    guard String(buffer: line) == text else {
                        throw WrongAnswer.value
                    }
                    found += 1
                case .jsonLines:
                    let record = try decoder.decode(StreamContent.Record.self, from: line)
                    guard record == .sample else { throw WrongAnswer.value }
                    found += 1
                case .events:
                    guard let whole = event.add(String(buffer: line)) else { continue }
                    guard whole.name == "update", whole.data == text else {
                        throw WrongAnswer.value
                    }
                    found += 1
                }
            }
        }
        guard pending.readableBytes == 0 else { throw WrongAnswer.length(pending.readableBytes) }
        return found
    }
}

/// A server-sent event that is being read, as far as this server's events need it.
private struct Event {
    var name = "message"
    var data = ""

    /// Adds a line.
    ///
    /// - Returns: The event, if the line ends it.
    mutating func add(_ line: String) -> Event? {
        if line.isEmpty {
            defer { self = Event() }
            return self
        }
        if line.hasPrefix("data: ") {
            if !data.isEmpty { data += "\n" }
            data += line.dropFirst(6)
        } else if line.hasPrefix("event: ") {
            name = String(line.dropFirst(7))
        }
        return nil
    }
}

extension ByteBuffer {
    /// The bytes before the next LF, which is read as well; nil if there is none.
    fileprivate mutating func readLine() -> ByteBuffer? {
        guard let end = readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { moveReaderIndex(forwardBy: 1) }
        return readSlice(length: end - readerIndex)
    }
}
