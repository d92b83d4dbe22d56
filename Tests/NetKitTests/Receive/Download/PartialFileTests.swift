import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Partial file", .timeLimit(.minutes(15)))
struct PartialFileTests {
    private let folder: SampleFolder
    private let file: PartialFile

    init() throws {
        folder = try SampleFolder()
        file = PartialFile(destination: folder.url.appending(path: "file"))
    }

    private var note: URL { folder.url.appending(path: "file.part-version") }

    @Test("is never written through a link, pipe or device, and never blocks on one")
    func otherFiles() throws {
        let target = try folder.file("target", "untouched")
        try FileManager.default.createSymbolicLink(at: file.part, withDestinationURL: target)
        let failure = DownloadFailure(.notRegularFile, file.part.path)
        for creating in [true, false] {
            #expect(throws: failure) { try PartFile(file.part.path, creating: creating) }
        }
        #expect(throws: failure) { try file.discard() }
        #expect(try String(contentsOf: target, encoding: .utf8) == "untouched")
        unlink(file.part.path)
        #expect(mkfifo(file.part.path, 0o600) == 0)
        #expect(throws: failure) { try PartFile(file.part.path, creating: true) }
        // Even where somebody reads the pipe.
        let reader = open(file.part.path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        #expect(throws: failure) { try PartFile(file.part.path, creating: true) }
        let null = DownloadFailure(.notRegularFile, "/dev/null")
        #expect(throws: null) { try PartFile("/dev/null", creating: false) }
    }

    @Test("fails if it can't be removed")
    func unremovable() throws {
        let other = try PartFile(folder.url.appending(path: "other").path, creating: true)
        let file = PartialFile(destination: file.destination, open: { _, _ in other })
        try file.discard()
        // Not even root removes a folder as a file.
        try FileManager.default.createDirectory(at: file.part, withIntermediateDirectories: false)
        #expect(throws: DownloadFailure.self) { try file.discard() }
    }

    @Test("rejects a name with a NUL")
    func nul() throws {
        let other = try folder.file("other", "untouched")
        let destination = URL(fileURLWithPath: "\(other.path)\0.zip")
        let failure = DownloadFailure(.invalidName, destination.path)
        #expect(throws: failure) { try PartialFile(destination: destination).check() }
        // The text that a NUL is written as is a name like others.
        try PartialFile(destination: URL(fileURLWithPath: "\(other.path)%00.zip")).check()
        #expect(failure.description.utf8.allSatisfy { $0 >= 0x20 })
    }

    @Test(
        "resumes with a saved version, and length, only when they are valid",
        arguments: [
            ("\"v1\"", true), ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("", false), ("v1", false),
            ("\"v1\"\n10", true), ("\"v1\"\n-1", false), ("\"v1\"\n10\n", false),
            ("\"v1\"\r\nX-Evil: 1", false), ("\"v1\"\n", false), ("\"v\0\"", false),
            ("W/\"v1\"", false), ("\"\(String(repeating: "v", count: 9000))\"", false),
        ]
    )
    func version(text: String, isKept: Bool) throws {
        try Data("bytes".utf8).write(to: file.part)
        try Data(text.utf8).write(to: note)
        #expect(file.resumable()?.note?.text == (isKept ? text : nil))
        #expect(file.resumable()?.length == 5)
    }

    @Test(
        "has a name that fits, whatever the length of the destination's",
        arguments: [1, 242, 243, 250, 251, 255],
        ["a", "é", "\u{1F469}\u{200D}\u{1F680}"]
    )
    func longNames(count: Int, character: String) throws {
        let rest = count % character.utf8.count
        let name =
            String(repeating: "b", count: rest)
            + String(repeating: character, count: (count - rest) / character.utf8.count)
        let destination = folder.url.appending(path: name)
        let file = PartialFile(destination: destination)
        try Data("bytes".utf8).write(to: file.part)
        try file.noteVersion(of: ResponseHead(status: .ok, headers: [.eTag: "\"v1\""]))
        let partName = file.part.lastPathComponent
        #expect((partName == "\(name).part") == (count <= 242))
        #expect(name.hasPrefix(partName.prefix { !"-.".contains($0) }))
        // The next download of the same file finds it, one of another file doesn't.
        let same = PartialFile(destination: folder.url.appending(path: name)).resumable()
        #expect(same?.length == 5 && same?.note?.text == "\"v1\"")
        let other = PartialFile(destination: folder.url.appending(path: "\(name.dropLast())c"))
        #expect(other.resumable() == nil)
        try file.complete()
        #expect(try Data(contentsOf: destination) == Data("bytes".utf8))
    }

    @Test(
        "saves the version of a whole, uncoded body with a strong validator, and of no other",
        arguments: [
            (200, [.eTag: "\"v2\""], "\"v2\""), (203, [.eTag: "\"v2\""], "\"v2\""),
            (200, [.eTag: "\"v2\"", .contentLength: "9"], "\"v2\"\n9"),
            (206, [.eTag: "\"v2\"", .contentRange: "bytes 1-9/20"], nil),
            (200, [.eTag: "\"v2\"", .contentEncoding: "gzip"], nil),
            (200, [.eTag: "W/\"v2\""], nil), (200, [:], nil),
        ] as [(HTTPStatus, HTTPHeaders, String?)]
    )
    func savedVersion(status: HTTPStatus, headers: HTTPHeaders, text: String?) throws {
        try Data("bytes".utf8).write(to: file.part)
        // That of an earlier response doesn't stay.
        try Data("\"v1\"".utf8).write(to: note)
        try file.noteVersion(of: ResponseHead(status: status, headers: headers))
        #expect(file.resumable()?.note?.text == text)
        #expect(FileManager.default.fileExists(atPath: note.path) == (text != nil))
    }

    @Test("saves and reads its version through no link or pipe")
    func otherNotes() throws {
        try Data("bytes".utf8).write(to: file.part)
        let target = try folder.file("target", "\"v1\"")
        try FileManager.default.createSymbolicLink(at: note, withDestinationURL: target)
        #expect(file.resumable()?.note == nil)
        let head = ResponseHead(status: .ok, headers: [.eTag: "\"v2\""])
        try file.noteVersion(of: head)
        #expect(try String(contentsOf: target, encoding: .utf8) == "\"v1\"")
        #expect(file.resumable()?.note?.text == "\"v2\"")
        unlink(note.path)
        #expect(mkfifo(note.path, 0o600) == 0)
        #expect(file.resumable()?.note == nil)
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: "link"),
            withDestinationURL: file.part
        )
    }
}
