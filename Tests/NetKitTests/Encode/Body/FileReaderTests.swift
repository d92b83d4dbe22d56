import Foundation
import Testing

@testable import NetKit

@Suite("File reader")
struct FileReaderTests {
    private let folder: SampleFolder

    init() throws {
        folder = try SampleFolder()
    }

    private func encode(_ file: URL, mime: MimeType? = nil) throws -> EncodedRequest {
        let request = Sample(path: "x", method: .put, body: .file(file, mime: mime))
        return try SampleEndpoint().encode(request)
    }

    @Test(
        "uses the given type, or the type of the file extension",
        arguments: [
            ("a.png", nil, "image/png"), ("a.JSON", nil, "application/json"),
            ("a", nil, "application/octet-stream"), ("a.unknown", nil, "application/octet-stream"),
            ("a.png", "text/x", "text/x"), ("ä b%20.txt", nil, "text/plain"),
        ] as [(String, MimeType?, MimeType)]
    )
    func types(name: String, mime: MimeType?, expected: MimeType) throws {
        let encoded = try encode(try folder.file(name, "bytes"), mime: mime)
        let type = try #require(encoded.headers.contentType)
        #expect(type.type == expected.type && type.subtype == expected.subtype)
        #expect(try encoded.bodyText() == "bytes")
        #expect(encoded.body?.length == 5)
        #expect(encoded.body?.data == nil)
    }

    @Test("follows a symbolic link")
    func link() throws {
        let link = folder.url.appending(path: "link.txt")
        let file = try folder.file("real.txt", "linked")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(try encode(link).bodyText() == "linked")
    }

    @Test("returns the same bytes each time it is opened")
    func replay() throws {
        let source = try FileReader.source(
            of: try folder.file("a", String(repeating: "ab", count: 999))
        )
        let first = try source.bytes(atATime: 1000)
        #expect(first.count == 1998)
        #expect(try source.bytes() == first)
        #expect(try FileReader.source(of: try folder.file("empty", "")).bytes().isEmpty)
    }

    @Test(
        "reads a part any number of times, with its length, and as a sequence",
        arguments: [(0..<10, "0123456789"), (3..<7, "3456"), (9..<10, "9"), (4..<4, "")]
            as [(Range<Int64>, String)]
    )
    func parts(range: Range<Int64>, expected: String) async throws {
        let file = try folder.file("a.png", "0123456789")
        let body = RequestBody.file(file, range: range)
        let encoded = try SampleEndpoint().encode(Sample(path: "x", method: .put, body: body))
        #expect(encoded.headers[.contentType] == "application/octet-stream")
        #expect(encoded.body?.length == Int64(expected.utf8.count))
        #expect(encoded.body?.sequence == nil && encoded.body?.data == nil)
        for _ in 0..<2 { #expect(try encoded.bodyText() == expected) }
        let source = try #require(encoded.body)
        #expect(try source.bytes(atATime: 3) == Array(expected.utf8))
        guard case .stream(let pieces) = body else {
            Issue.record("\(body)")
            return
        }
        var bytes = Data()
        try await pieces.forEach { bytes += $0 }
        #expect(bytes == Data(expected.utf8))
        #expect(pieces.length == Int64(expected.utf8.count))
    }

    @Test("rejects an unreadable file by name")
    func refusals() throws {
        let missing = folder.url.appending(path: "missing")
        let dangling = folder.url.appending(path: "dangling")
        try FileManager.default.createSymbolicLink(at: dangling, withDestinationURL: missing)
        for (file, problem) in [
            (missing, "No such file or directory"), (dangling, "No such file or directory"),
            (folder.url, "it is not a regular file"),
            (URL(fileURLWithPath: "/dev/zero"), "it is not a regular file"),
        ] {
            let error = #expect(throws: InvalidRequest.self) { try encode(file) }
            #expect(error?.reason == .unreadableFile(file.path))
            #expect(error?.message == "file \"\(file.path)\" can't be read: \(problem)")
        }
        let remote = try #require(URL(string: "https://user:secret@h.test/f?token=t"))
        let error = #expect(throws: InvalidRequest.self) { try encode(remote) }
        #expect(error?.reason == .unreadableFile("https://h.test/f?token"))
        #expect(error?.message.hasSuffix("can't be read: it is not a file URL") == true)
    }

    @Test("rejects a pipe without blocking, and a name with a NUL")
    func pipeAndNUL() throws {
        let pipe = folder.url.appending(path: "pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let nul = URL(fileURLWithPath: "\(try folder.file("a", "bytes").path)\0.txt")
        for file in [pipe, nul] {
            let error = #expect(throws: InvalidRequest.self) { try encode(file) }
            #expect(error?.reason == .unreadableFile(file.path))
        }
        // A pipe that took the place of a file is not waited for either.
        let file = try folder.file("b", "bytes")
        let source = try FileReader.source(of: file)
        try FileManager.default.removeItem(at: file)
        #expect(mkfifo(file.path, 0o600) == 0)
        let error = #expect(throws: InvalidRequest.self) { try source.bytes() }
        #expect(error?.reason == .unreadableFile(file.path))
    }

    @Test(
        "sends a kernel file with a reported length of 0",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"))
    )
    func kernelFile() throws {
        let encoded = try encode(URL(fileURLWithPath: "/proc/self/status"))
        #expect(try encoded.bodyText().contains("\nPid:\t\(getpid())\n"))
        #expect(encoded.body.map { Int($0.length) } == (try encoded.bodyText().utf8.count))
    }

    @Test("fails by name when the file disappears or shrinks, and never exceeds its length")
    func changes() throws {
        let file = try folder.file("a", "0123456789")
        let source = try FileReader.source(of: file)
        _ = try folder.file("a", "0123456789more")
        #expect(try source.bytes() == Array("0123456789".utf8))
        _ = try folder.file("a", "01234")
        var error = #expect(throws: InvalidRequest.self) { try source.bytes() }
        #expect(error?.reason == .unreadableFile(file.path))
        #expect(error?.message.hasSuffix("can't be read: it became shorter") == true)
        try FileManager.default.removeItem(at: file)
        error = #expect(throws: InvalidRequest.self) { try source.bytes() }
        #expect(error?.reason == .unreadableFile(file.path))
    }
}
