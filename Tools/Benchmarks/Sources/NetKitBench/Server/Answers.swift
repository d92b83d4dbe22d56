import Foundation
import NIOCore
import NIOHTTP1

/// The server's answers; those to small requests are made once and then only copied to the wire.
struct Answers: Sendable {
    /// A head and a body that are ready to be sent.
    struct Answer: Sendable {
        let head: HTTPResponseHead
        let body: OutgoingBody
    }

    private let item: Answer
    private let cacheableItem: Answer
    private let notFound: Answer
    private let streams: [StreamContent: ByteBuffer]
    /// What large answers repeat.
    private let block = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1 << 18)

    init() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        item = Answer(.ok, type: "application/json", body: try encoder.encode(Item.sample))
        cacheableItem = item.fresh
        streams = Dictionary(
            uniqueKeysWithValues: StreamContent.allCases.map { ($0, $0.block) }
        )
        notFound = Answer(.notFound, type: "text/plain", body: Data("no such path\n".utf8))
    }

    /// The answer to a request whose body had `bodyLength` bytes.
    ///
    /// - `GET /item`: ``Item/sample``; `GET /cacheable/item` also says for how long it is fresh.
    /// - `GET /content/n`: n bytes.
    /// - `GET /stream/content/n`: n elements of a ``StreamContent``.
    /// - `POST /upload`: an ``UploadReceipt``.
    func answer(to head: HTTPRequestHead, bodyLength: Int) -> Answer {
        switch (head.method, head.uri) {
        case (.GET, "/item"):
            item
        case (.GET, "/cacheable/item"):
            cacheableItem
        case (.GET, let path) where path.hasPrefix("/content/"):
            Int(path.dropFirst("/content/".count)).map(content) ?? notFound
        case (.GET, let path) where path.hasPrefix("/stream/"):
            stream(path.split(separator: "/").map(String.init)) ?? notFound
        case (.POST, "/upload"):
            Answer(.ok, type: "application/json", body: UploadReceipt(received: bodyLength).json)
        default:
            notFound
        }
    }

    private func stream(_ path: [String]) -> Answer? {
        guard
            path.count == 3,
            let content = StreamContent(rawValue: path[1]),
            let block = streams[content],
            let count = Int(path[2]), count > 0
        else { return nil }
        let length = count.multipliedReportingOverflow(by: content.bytes.count)
        guard !length.overflow else { return nil }
        let body = OutgoingBody(repeating: block, length: length.partialValue)
        return Answer(.ok, type: content.mime, body: body)
    }

    private func content(_ length: Int) -> Answer {
        let body = OutgoingBody(repeating: block, length: max(0, length))
        return Answer(.ok, type: "application/octet-stream", body: body)
    }
}

extension Answers.Answer {
    /// The same answer, fresh for a day.
    fileprivate var fresh: Answers.Answer {
        var head = head
        head.headers.add(name: "Cache-Control", value: "max-age=86400")
        return Answers.Answer(head: head, body: body)
    }

    fileprivate init(_ status: HTTPResponseStatus, type: String, body: Data) {
        self.init(status, type: type, body: OutgoingBody(ByteBuffer(bytes: body)))
    }

    /// The header fields are those that a plain server sends.
    fileprivate init(_ status: HTTPResponseStatus, type: String, body: OutgoingBody) {
        let fields: HTTPHeaders = [
            "Server": "netkit-bench",
            "Date": Self.httpDate(Date()),
            "Content-Type": type,
            "Content-Length": String(body.length),
        ]
        head = HTTPResponseHead(version: .http1_1, status: status, headers: fields)
        self.body = body
    }

    private static func httpDate(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }
}
