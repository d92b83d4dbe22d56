import Foundation
import Testing

@testable import NetKit

@Suite("Multipart bodies parsed by a server")
struct MultipartRoundTripTests {
    /// A part as RFC 2046 frames it and RFC 7578 names it.
    private struct Part: Hashable {
        var name: String
        var fileName: String?
        var type: String?
        var bytes: [UInt8]
    }

    @Test("returns every text and file byte for byte")
    func roundTrip() throws {
        let folder = try SampleFolder()
        // A NUL is refused in names.
        let framing = ["--B", "\r\n--B--\r\n", "Content-Type: x\r\n\r\n"]
        let awkward = AwkwardText.all.filter { !$0.utf8.contains(0) } + framing
        var expected: [Part] = []
        var fields: [(String, String)] = []
        var files: [any MultipartFile] = []
        for (index, text) in awkward.enumerated() {
            fields.append((text, text))
            expected.append(Part(name: text, bytes: Array(text.utf8)))
            let bytes = Data(text.utf8)
            let resources: [any MultipartResourceConvertible] = [
                bytes, try folder.file("\(index)", text),
                StreamResource(length: Int64(bytes.count)) { InputStream(data: bytes) },
            ]
            files.append(
                DefaultMultipartFile(
                    resource: resources[index % 3],
                    mime: "text/plain; charset=utf-8",
                    name: "f\(index)",
                    fileName: text
                )
            )
        }
        for (index, text) in awkward.enumerated() {
            let type = "text/plain; charset=utf-8"
            let bytes = Array(text.utf8)
            expected.append(Part(name: "f\(index)", fileName: text, type: type, bytes: bytes))
        }

        let upload = DefaultMultipartFormDataRequest<Data, ServerMessage>(
            path: "x",
            body: .form(fields),
            files: files
        )
        let encoded = try SampleEndpoint().encode(upload)
        let boundary = try #require(encoded.headers.contentType?.parameters["boundary"])
        let source = try #require(encoded.body)
        for size in [1, 64, 1 << 16] {
            let bytes = try source.bytes(atATime: size)
            #expect(Int64(bytes.count) == source.length)
            #expect(try parts(of: bytes, boundary: boundary) == expected)
        }
    }

    @Test("returns every byte at lengths around the memory limit")
    func sizes() throws {
        for length in [0, 1, 65_000, 65_536, 65_537, 200_000] {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
            let file = DefaultMultipartFile(resource: Data(bytes), mime: "a/b", fileName: "f")
            let body = try MultipartEncoder.encode(fields: [], files: [file], boundary: "B").source
            let read = try body.bytes(atATime: 10_000)
            #expect(Int64(read.count) == body.length)
            let expected = Part(name: "f", fileName: "f", type: "a/b", bytes: bytes)
            #expect(try parts(of: read, boundary: "B") == [expected])
        }
    }

    @Test("matches the boundary of the Content-Type, whatever the header fields")
    func boundaries() throws {
        for type in [nil, "multipart/mixed; boundary=mine", "multipart/form-data", "text/plain"] {
            let upload = DefaultMultipartFormDataRequest<Data, ServerMessage>(
                path: "x",
                body: .form([("a", "1")]),
                headers: HTTPHeaders(type.map { [.contentType: $0] } ?? [:])
            )
            let encoded = try SampleEndpoint().encode(upload)
            let sent = try #require(encoded.headers.contentType)
            #expect(
                sent.subtype == (type?.hasPrefix("multipart/mixed") == true ? "mixed" : "form-data")
            )
            let boundary = try #require(sent.parameters["boundary"])
            let bytes = try #require(encoded.body).bytes()
            #expect(try parts(of: bytes, boundary: boundary).map(\.name) == ["a"])
        }
    }

    /// Takes a body apart, and minds every byte of the framing.
    private func parts(of body: [UInt8], boundary: String) throws -> [Part] {
        let body = Data(body)
        let delimiter = Data("\r\n--\(boundary)".utf8)
        var rest = Data("\r\n".utf8) + body
        var parts: [Part] = []
        rest = rest.dropFirst(try #require(rest.starts(with: delimiter) ? delimiter.count : nil))
        while !rest.starts(with: "--".utf8) {
            try #require(rest.starts(with: "\r\n".utf8))
            rest = rest.dropFirst(2)
            let head = try #require(rest.range(of: Data("\r\n\r\n".utf8)))
            let next = try #require(
                rest.range(of: delimiter, in: head.upperBound..<rest.endIndex)
            )
            let lines = String(decoding: rest[..<head.lowerBound], as: UTF8.self)
                .components(separatedBy: "\r\n")
            parts.append(try part(lines, bytes: Array(rest[head.upperBound..<next.lowerBound])))
            rest = rest[next.upperBound...]
        }
        #expect(Array(rest) == Array("--\r\n".utf8))
        return parts
    }

    private func part(_ lines: [String], bytes: [UInt8]) throws -> Part {
        let start = "Content-Disposition: form-data; name=\""
        let first = try #require(lines.first)
        try #require(first.utf8.starts(with: start.utf8))
        // Quotes within names are escaped: those that are left stand around one.
        let quoted = Data(first.utf8)
            .split(
                separator: UInt8(ascii: "\""),
                omittingEmptySubsequences: false
            )
        let texts = quoted.map { String(decoding: $0, as: UTF8.self) }
        var part = Part(name: try unescaped(#require(texts.dropFirst().first)), bytes: bytes)
        if texts.count > 3 {
            #expect(texts.count == 5 && texts[2] == "; filename=" && texts[4].isEmpty)
            part.fileName = unescaped(texts[3])
        }
        if lines.count > 1 {
            #expect(lines.count == 2)
            try #require(lines[1].hasPrefix("Content-Type: "))
            part.type = String(lines[1].dropFirst("Content-Type: ".count))
        }
        return part
    }

    /// What HTML's escapes stand for; a name that had such a text itself cannot be told from them.
    private func unescaped(_ text: String) -> String {
        text.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
}
