import Foundation

/// A form of many small files, and the bytes that it is on the wire.
struct PartsForm: Sendable {
    /// As long as NetKit's, so that the bodies have one length.
    static let boundary = "netkit-" + String(repeating: "0", count: 48)
    static let mime = "text/plain; charset=utf-8"

    /// One file of the form.
    struct Part: Sendable {
        let name: String
        let content: Data

        var fileName: String { "\(name).txt" }
    }

    let parts: [Part]

    init(count: Int) {
        parts = (0..<count)
            .map { number in
                let text = String(repeating: "part \(number), ", count: 13).prefix(100)
                return Part(name: "part-\(number)", content: Data(text.utf8))
            }
    }

    /// The form as `multipart/form-data` (RFC 7578).
    var body: Data {
        var body = Data()
        for part in parts {
            body += Data("--\(Self.boundary)\r\nContent-Disposition: form-data; ".utf8)
            body += Data("name=\"\(part.name)\"; filename=\"\(part.fileName)\"\r\n".utf8)
            body += Data("Content-Type: \(Self.mime)\r\n\r\n".utf8)
            body += part.content
            body += Data("\r\n".utf8)
        }
        return body + Data("--\(Self.boundary)--\r\n".utf8)
    }

    /// The bytes of all files, without what is around them.
    var contentLength: Int { parts.reduce(0) { $0 + $1.content.count } }
}
