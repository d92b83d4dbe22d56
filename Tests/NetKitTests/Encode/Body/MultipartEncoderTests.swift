import Foundation
import NetKitSupport
import Testing

@testable import NetKit

@Suite("Multipart encoder")
struct MultipartEncoderTests {
    /// A resource of one's own; nil for one whose bytes cannot be read.
    private struct Counted: MultipartResourceConvertible {
        struct Missing: Error {}
        let text: String?

        func bodySource() throws -> BodySource {
            guard let text else { throw Missing() }
            return BodySource(Data(text.utf8))
        }
    }

    private let folder: SampleFolder

    init() throws {
        folder = try SampleFolder()
    }

    private func file(
        _ resource: any MultipartResourceConvertible,
        name: String = "n",
        fileName: String = "f",
        mime: MimeType = "text/plain"
    ) -> DefaultMultipartFile {
        DefaultMultipartFile(resource: resource, mime: mime, name: name, fileName: fileName)
    }

    private func text(_ fields: [(String, String)], _ files: [any MultipartFile]) throws -> String {
        let body = try MultipartEncoder.encode(fields: fields, files: files, boundary: "B")
        let bytes = try body.source.bytes()
        #expect(Int64(bytes.count) == body.source.length)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("frames text parts, then files, byte for byte")
    func framing() throws {
        let body = try text([("a", "1"), ("b", "")], [file(Data("bytes".utf8)), file(Data())])
        #expect(
            body == """
                --B\r
                Content-Disposition: form-data; name="a"\r
                \r
                1\r
                --B\r
                Content-Disposition: form-data; name="b"\r
                \r
                \r
                --B\r
                Content-Disposition: form-data; name="n"; filename="f"\r
                Content-Type: text/plain\r
                \r
                bytes\r
                --B\r
                Content-Disposition: form-data; name="n"; filename="f"\r
                Content-Type: text/plain\r
                \r
                \r
                --B--\r

                """
        )
    }

    @Test("gives bytes a media type without a file name")
    func typedBytes() throws {
        let item = FormItem.data("meta", Data("{}".utf8), mime: .json)
        let body = try MultipartEncoder.encode([item], boundary: "B")
        #expect(
            String(decoding: try body.source.bytes(), as: UTF8.self) == """
                --B\r
                Content-Disposition: form-data; name="meta"\r
                Content-Type: application/json\r
                \r
                {}\r
                --B--\r

                """
        )
    }

    @Test("reads every kind of resource, repeatedly")
    func resources() throws {
        let content = "line\r\n--B\r\n\u{0}🙂"
        let path = try folder.file("a.txt", content)
        let bytes = Data(content.utf8)
        let resources: [any MultipartResourceConvertible] = [
            bytes, path, path.path,
            StreamResource(length: Int64(bytes.count)) { InputStream(data: bytes) },
        ]
        for resource in resources {
            let body = try MultipartEncoder.encode(
                fields: [],
                files: [file(resource)],
                boundary: "B"
            )
            let expected =
                "--B\r\nContent-Disposition: form-data; name=\"n\"; filename=\"f\"\r\n"
                + "Content-Type: text/plain\r\n\r\n\(content)\r\n--B--\r\n"
            for size in [1, 10_000] {
                #expect(try body.source.bytes(atATime: size) == Array(expected.utf8))
            }
            #expect(body.source.length == Int64(expected.utf8.count))
        }
    }

    @Test("frames small and large parts alike, beyond the block in which small ones are merged")
    func blocks() throws {
        let lengths = [0, 1, 1_023, 1_024, 1_025, 70_000, 3] + Array(repeating: 1_000, count: 140)
        let contents = lengths.map { length in
            Data((0..<length).map { UInt8(truncatingIfNeeded: $0) })
        }
        let body = try MultipartEncoder.encode(
            fields: [],
            files: contents.map { file($0) },
            boundary: "B"
        )
        var expected = Data()
        for content in contents {
            expected += "--B\r\nContent-Disposition: form-data; name=\"n\"; filename=\"f\"\r\n".utf8
            expected += "Content-Type: text/plain\r\n\r\n".utf8
            expected += content + "\r\n".utf8
        }
        expected += "--B--\r\n".utf8
        for size in [7, 4_096, 1 << 20] {
            #expect(try Data(body.source.bytes(atATime: size)) == expected)
        }
        #expect(body.source.length == Int64(expected.count))
    }

    @Test("keeps every name within its quotes and its line", arguments: AwkwardText.all)
    func names(name: String) throws {
        guard !name.utf8.contains(0) else {
            #expect(throws: InvalidRequest.self) { try text([(name, "v")], []) }
            #expect(throws: InvalidRequest.self) {
                try text([], [file(Data(), name: "n", fileName: name)])
            }
            return
        }
        let body = try text([(name, "v")], [file(Data(), name: name, fileName: name)])
        let escaped = String(
            decoding: name.utf8.flatMap { byte -> [UInt8] in
                switch byte {
                case 0x22: Array("%22".utf8)
                case 0x0D: Array("%0D".utf8)
                case 0x0A: Array("%0A".utf8)
                default: [byte]
                }
            },
            as: UTF8.self
        )
        let head = "Content-Disposition: form-data; name=\"\(escaped)\""
        #expect(
            Array(body.utf8)
                == Array(
                    ("--B\r\n\(head)\r\n\r\nv\r\n--B\r\n\(head); filename=\"\(escaped)\"\r\n"
                        + "Content-Type: text/plain\r\n\r\n\r\n--B--\r\n")
                        .utf8
                )
        )
    }

    @Test("rejects a media type that would end its line", arguments: ["a/b\r\nX: y", "a/b\u{0}"])
    func mediaTypes(mime: String) {
        let file = file(Data(), mime: MimeType(rawValue: mime))
        let error = #expect(throws: InvalidRequest.self) { try text([], [file]) }
        #expect(error?.reason == .invalidHeader(name: "Content-Type"))
    }

    @Test("rejects missing and unreadable files by name")
    func unreadable() throws {
        let missing = folder.url.appending(path: "missing.png")
        for resource in [missing, missing.path, folder.url] as [any MultipartResourceConvertible] {
            let error = #expect(throws: InvalidRequest.self) { try text([], [file(resource)]) }
            let path = (resource as? URL)?.path ?? missing.path
            #expect(error?.reason == .unreadableFile(path))
        }
        let remote = try #require(URL(string: "https://h.test/f"))
        #expect(throws: InvalidRequest.self) { try text([], [file(remote)]) }
        let error = #expect(throws: InvalidRequest.self) {
            try text([], [file(Counted(text: nil))])
        }
        #expect(error?.reason == .unencodableBody("n: Missing"))
        #expect(try text([], [file(Counted(text: "own bytes"))]).contains("\r\n\r\nown bytes\r\n"))
    }

    @Test("fails while sending a file or stream of another length than announced")
    func shrinking() throws {
        let path = try folder.file("a", "0123456789")
        let body = try MultipartEncoder.encode(fields: [], files: [file(path)])
        _ = try folder.file("a", "0")
        let error = #expect(throws: InvalidRequest.self) { try body.source.bytes() }
        #expect(error?.reason == .unreadableFile(path.path))

        for (length, read) in [(9, 4), (2, 3)] as [(Int64, Int64)] {
            let resource = StreamResource(length: length) { InputStream(data: Data("0123".utf8)) }
            let stream = try MultipartEncoder.encode(fields: [], files: [file(resource)])
            let error = #expect(throws: InvalidRequest.self) { try stream.source.bytes() }
            #expect(error?.bodyProblem == .wrongLength(read, announced: length))
        }
    }

    @Test(
        "refuses a stream or source of a negative length, which elsewhere stands for an unknown one"
    )
    func negativeLength() {
        let stream = StreamResource(length: -1) { InputStream(data: Data("0123".utf8)) }
        let bodies: [RequestBody] = [
            .multipart([FormItem(.file(file(stream)))]), .source(stream.bodySource()),
        ]
        for body in bodies {
            let error = #expect(throws: InvalidRequest.self) { try BodyEncoder.encode(body) }
            #expect(error?.bodyProblem == .wrongLength(0, announced: -1))
        }
    }

    @Test(
        "copies a content of up to 1 KiB, and keeps a longer one as it is",
        arguments: [(1, true), (1024, true), (1025, false), (100_000, false)]
    )
    func copies(length: Int, isCopied: Bool) throws {
        let isFreed = Locked(false)
        func source() throws -> BodySource {
            let bytes = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 1)
            bytes.initializeMemory(as: UInt8.self, repeating: 0x61, count: length)
            let free = Data.Deallocator.custom { pointer, _ in
                pointer.deallocate()
                isFreed.withLock { $0 = true }
            }
            let data = Data(bytesNoCopy: bytes, count: length, deallocator: free)
            // Together, they are too long for a body in memory.
            let files = [file(data), file(Data(count: 100_000))]
            var source = try MultipartEncoder.encode(fields: [], files: files).source
            // The parts keep the content, too.
            source.parts = nil
            return source
        }
        let source = try source()
        #expect(isFreed.withLock { $0 } == isCopied)
        #expect(try source.bytes().count { $0 == 0x61 } >= length)
    }

    @Test("rejects lengths whose sum overflows")
    func tooLong() {
        let endless = StreamResource(length: .max) { InputStream(data: Data()) }
        let error = #expect(throws: InvalidRequest.self) {
            try text([], [file(endless), file(endless)])
        }
        #expect(error?.description.contains("files longer than 2^63 bytes") == true)
    }

    @Test("uses a boundary of at least 128 random bits and at most 70 characters")
    func boundary() throws {
        let boundaries = try (0..<50)
            .map { _ in
                let type = try MultipartEncoder.encode(fields: [], files: []).mime
                return try #require(MimeType(type)?.parameters["boundary"])
            }
        #expect(Set(boundaries).count == 50)
        for boundary in boundaries {
            #expect(boundary.utf8.count <= 70)
            #expect(boundary.hasPrefix("netkit-"))
            #expect(
                boundary.dropFirst(7).count >= 32 && boundary.dropFirst(7).allSatisfy(\.isHexDigit)
            )
        }
    }
}

extension MultipartEncoder {
    /// Encodes text parts, then files.
    static func encode(
        fields: [(String, String)],
        files: [any MultipartFile],
        boundary: String? = nil
    ) throws(InvalidRequest) -> EncodedBody {
        let items = fields.map { FormItem.field($0, $1) } + files.map { FormItem(.file($0)) }
        guard let boundary else { return try encode(items) }
        return try encode(items, boundary: boundary)
    }
}
