import Foundation
import NetKitTesting

/// A multipart form of texts, as a server reads it.
struct MultipartForm {
    private(set) var fields: [(name: String, value: String)] = []
    private(set) var files: [(name: String, value: String)] = []

    /// Reads a request's body; nil if it is no multipart form.
    init?(_ request: RecordedRequest) {
        guard let type = request.header("Content-Type"), type.hasPrefix("multipart/form-data"),
            let boundary = Self.parameter("boundary", of: type)
        else { return nil }
        let body = String(decoding: request.body, as: UTF8.self)
        for part in body.components(separatedBy: "--\(boundary)").dropFirst().dropLast() {
            guard let gap = part.range(of: "\r\n\r\n") else { continue }
            let head = String(part[..<gap.lowerBound])
            guard let name = Self.parameter("name", of: head) else { continue }
            // The line end before a boundary belongs to the boundary; it is one Character.
            let value = String(part[gap.upperBound...].dropLast())
            if Self.parameter("filename", of: head) == nil {
                fields.append((name, value))
            } else {
                files.append((name, value))
            }
        }
    }

    private static func parameter(_ name: String, of text: String) -> String? {
        guard let start = text.range(of: " \(name)=") else { return nil }
        let value = text[start.upperBound...]
        let end: [Character] = value.hasPrefix("\"") ? ["\""] : [";", "\r\n"]
        return value.split(whereSeparator: end.contains).first.map(String.init)
    }
}
