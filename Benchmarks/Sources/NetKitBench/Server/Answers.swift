import Foundation
import NIOCore
import NIOHTTP1

/// The server's answers, made once and then only copied to the wire.
struct Answers: Sendable {
    /// A head and a body that are ready to be sent.
    struct Answer: Sendable {
        let head: HTTPResponseHead
        let body: ByteBuffer
    }

    private let item: Answer
    private let notFound: Answer

    init() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        item = Answer(.ok, type: "application/json", body: try encoder.encode(Item.sample))
        notFound = Answer(.notFound, type: "text/plain", body: Data("no such path\n".utf8))
    }

    /// The answer to a request.
    func answer(to head: HTTPRequestHead) -> Answer {
        head.method == .GET && head.uri == "/item" ? item : notFound
    }
}

extension Answers.Answer {
    /// The header fields are those that a plain server sends; the date is that of the start.
    fileprivate init(_ status: HTTPResponseStatus, type: String, body: Data) {
        let fields: HTTPHeaders = [
            "Server": "netkit-bench",
            "Date": Self.httpDate(Date()),
            "Content-Type": type,
            "Content-Length": String(body.count),
        ]
        head = HTTPResponseHead(version: .http1_1, status: status, headers: fields)
        self.body = ByteBuffer(bytes: body)
    }

    private static func httpDate(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }
}
