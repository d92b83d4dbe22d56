import Foundation
import NetKitSupport

/// The bytes of a response's head, and the framing of its body.
struct MockResponseHead {
    /// The properties of a request that affect its response.
    struct Request {
        var isHead = false
        var isHTTP10 = false
        var keepsAlive = true
    }

    /// The status line and the fields, up to and including the empty line.
    let bytes: Data
    /// Whether the body is chunked.
    let isChunked: Bool
    /// The body's length, if the head announces it.
    let length: Int?
    /// Whether a body follows the head.
    let hasBody: Bool
    /// Whether the connection stays open for another request.
    let keepsAlive: Bool

    init(_ response: MockResponse, to request: Request) {
        let allowsBody = response.status != 204 && response.status != 304
        let wantsChunks =
            switch response.content {
            case .chunks: true
            default: response.trailers != nil
            }
        isChunked =
            allowsBody && wantsChunks && !request.isHTTP10 && !response.isDelimitedByClose
        let isDelimitedByClose =
            allowsBody && (response.isDelimitedByClose || (wantsChunks && request.isHTTP10))
        let bodyLength = response.pieces.reduce(0) { $0 + $1.count }
        length = allowsBody && !isChunked && !isDelimitedByClose ? bodyLength : nil
        hasBody = allowsBody && !request.isHead
        keepsAlive = request.keepsAlive && !response.closesConnection && !isDelimitedByClose

        var fields: [HeaderField] = []
        if let contentType = response.contentType, allowsBody {
            fields.append(HeaderField(name: "Content-Type", value: contentType))
        }
        if let length { fields.append(HeaderField(name: "Content-Length", value: "\(length)")) }
        if isChunked { fields.append(HeaderField(name: "Transfer-Encoding", value: "chunked")) }
        if isChunked, let trailers = response.trailers, trailers.areAnnounced {
            let names = trailers.fields.map(\.name).joined(separator: ", ")
            fields.append(HeaderField(name: "Trailer", value: names))
        }
        if !keepsAlive {
            fields.append(HeaderField(name: "Connection", value: "close"))
        } else if request.isHTTP10 {
            fields.append(HeaderField(name: "Connection", value: "keep-alive"))
        }
        fields.removeAll { field in
            // A Content-Length or Transfer-Encoding that the test sets replaces both.
            let isFraming = field.isNamed("Content-Length") || field.isNamed("Transfer-Encoding")
            return response.fields.contains { given in
                given.isNamed(field.name)
                    || isFraming
                        && (given.isNamed("Content-Length") || given.isNamed("Transfer-Encoding"))
            }
        }
        bytes = Self.bytes(
            response.status,
            response.reason ?? Self.reason(of: response.status),
            fields + response.fields
        )
    }

    /// Returns the heads of the informational responses that precede the response.
    static func informational(of response: MockResponse) -> Data {
        response.informational.reduce(into: Data()) { bytes, code in
            bytes.append(Self.bytes(code, reason(of: code), response.informationalFields))
        }
    }

    private static func reason(of code: Int) -> String {
        // Some clients reject an empty one.
        ReasonPhrases.registered[code] ?? "Status"
    }

    private static func bytes(_ status: Int, _ reason: String, _ fields: [HeaderField]) -> Data {
        var text = "HTTP/1.1 \(status) \(reason)\r\n"
        for field in fields {
            text += field.name
            text += ": "
            text += field.value
            text += "\r\n"
        }
        text += "\r\n"
        return Data(text.utf8)
    }
}
