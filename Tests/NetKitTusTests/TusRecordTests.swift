import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import NetKitTus
import Testing

@Suite("Record of a resumable upload", .timeLimit(.minutes(15)))
struct TusRecordTests {
    private let server: TusServer
    private let folder: TusFolder
    private let clock = ManualClock(skippingDelays: true)

    init() throws {
        server = try TusServer()
        folder = try TusFolder()
    }

    private var endpoint: Endpoint {
        Endpoint(baseURL: server.mock.baseURL, retryingCount: 0, clock: clock)
    }

    private var upload: TusUpload {
        var upload = TusUpload(folder.file, to: "files?token=secret")
        upload.chunkSize = 1000
        return upload
    }

    /// Uploads the first chunk, or the first two.
    private func interrupt(afterTwo: Bool = false) async {
        if afterTwo {
            server.script(.patch, .served, .served, .lost)
        } else {
            server.script(.patch, .served, .lost)
        }
        server.script(.head, .lost)
        await #expect(throws: TusError.self) { try await upload.send(on: endpoint) }
        server.state.withLock { $0.turns = [:] }
    }

    @Test("has the URL, no query, and is its owner's alone")
    func content() async throws {
        try folder.fill(3000)
        #expect(try upload.unfinished() == nil)
        server.state.withLock { $0.expires = "Wed, 25 Nov 2026 12:00:00 GMT" }
        await interrupt()
        let unfinished = try #require(try upload.unfinished())
        #expect(unfinished.url == server.mock.url("/files/1"))
        #expect(unfinished.expires == Date(timeIntervalSince1970: 1_795_608_000))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.record.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(
            !String(decoding: try Data(contentsOf: folder.record), as: UTF8.self).contains("secret")
        )
        #expect(try folder.names == ["film.mp4", "film.mp4.tus"])
    }

    @Test("is shown without what may suffice to write to the upload")
    func description() async throws {
        try folder.fill(3000)
        await interrupt()
        let bytes = try Data(contentsOf: folder.record)
        var record = try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        record["url"] = "https://u:p@files.example/1?signature=secret"
        try JSONSerialization.data(withJSONObject: record).write(to: folder.record)
        let unfinished = try #require(try upload.unfinished())
        #expect("\(unfinished)" == "TusUpload.Unfinished(https://files.example/1?signature)")
    }

    @Test(
        "has the time that the response to the last chunk says",
        arguments: [["Thu, 26"], ["Thu, 26", "Fri, 27"], ["Thu, 26", "Wed, 25"]]
    )
    func laterExpiry(days: [String]) async throws {
        try folder.fill(3000)
        let (state, rest) = (server.state, Locked(days))
        state.withLock { $0.expires = "Wed, 25 Nov 2026 12:00:00 GMT" }
        server.onRequest.withLock { onRequest in
            onRequest[.patch] = {
                guard let day = rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                    return
                }
                state.withLock { $0.expires = "\(day) Nov 2026 12:00:00 GMT" }
            }
        }
        await interrupt(afterTwo: days.count == 2)
        let last = Int(days.last?.suffix(2) ?? "") ?? 0
        let time = 1_795_608_000 + Double(last - 25) * 86_400
        #expect(try upload.unfinished()?.expires == Date(timeIntervalSince1970: time))
    }

    /// What makes an upload another one.
    enum Change: CaseIterable {
        case content, length, metadata, server
    }

    @Test(
        "of another upload is replaced, and the upload starts from the beginning",
        arguments: Change.allCases
    )
    func changes(change: Change) async throws {
        var bytes = try folder.fill(3000)
        await interrupt()
        var (upload, endpoint, server) = (upload, endpoint, server)
        switch change {
        case .content:
            bytes = try folder.fill(3000, seed: 2)
            // Two changes within the resolution of the file system's times would look like one.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
                ofItemAtPath: folder.file.path
            )
        case .length: bytes = try folder.fill(3001)
        case .metadata: upload.metadata = ["filename": "other"]
        case .server:
            server = try TusServer()
            endpoint = Endpoint(baseURL: server.mock.baseURL, clock: clock)
        }
        let url = try await upload.send(on: endpoint)
        #expect(server.uploads["/\(url.lastPathComponent)"]?.bytes == bytes)
        #expect(server.violations.isEmpty)
        #expect(try folder.names == ["film.mp4"])
        #expect(!server.methods.contains("HEAD") || change != .server)
    }

    @Test(
        "of a file that changes while it is sent doesn't complete the upload",
        arguments: [
            (.post, "POST"), (.patch, "POST PATCH"), (.head, "POST PATCH HEAD"),
        ] as [(HTTPMethod, String)]
    )
    func changesMeanwhile(method: HTTPMethod, methods: String) async throws {
        let bytes = try folder.fill(3000)
        let file = folder.file
        if method == .head { server.script(.patch, .lost) }
        server.onRequest.withLock { onRequest in
            onRequest[method] = {
                let handle = try FileHandle(forWritingTo: file)
                defer { try? handle.close() }  // nothing is left to be written
                try handle.seek(toOffset: 3000)
                try handle.write(contentsOf: Data("x".utf8))
            }
        }
        let endpoint = Endpoint(baseURL: server.mock.baseURL, retryingCount: 1, clock: clock)
        let error = await #expect(throws: TusError.self) { try await upload.send(on: endpoint) }
        guard case .fileChanged(path: file.path) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.methods == methods)
        server.onRequest.withLock { $0 = [:] }
        let url = try await upload.send(on: endpoint)
        #expect(server.uploads["/\(url.lastPathComponent)"]?.bytes == bytes + Data("x".utf8))
    }

    @Test(
        "is never written over another file",
        arguments: ["text", "{}", #"{"tus":"1.0.0"}"#, String(repeating: "x", count: 2 << 20)]
    )
    func anotherFile(text: String) async throws {
        try folder.fill(10)
        try Data(text.utf8).write(to: folder.record)
        let error = await #expect(throws: TusError.self) { try await upload.send(on: endpoint) }
        guard case .unusableRecord(path: folder.record.path, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try Data(contentsOf: folder.record) == Data(text.utf8))
        #expect(server.mock.requests.isEmpty)
    }

    @Test("takes no other file's place, nor its permissions")
    func neighbor() async throws {
        try folder.fill(3000)
        let neighbor = folder.record.appendingPathExtension("new")
        try Data("notes".utf8).write(to: neighbor)
        await interrupt()
        #expect(try Data(contentsOf: neighbor) == Data("notes".utf8))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.record.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try folder.names == ["film.mp4", "film.mp4.tus", "film.mp4.tus.new"])
    }

    @Test("is refused at a URL that isn't a file's")
    func foreign() async throws {
        try folder.fill(10)
        var upload = upload
        let path = folder.url.appendingPathComponent("record").path
        upload.record = try #require(URL(string: "https://h.test\(path)"))
        let error = await #expect(throws: TusError.self) { try await upload.send(on: endpoint) }
        guard case .unusableRecord(path: path, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.mock.requests.isEmpty)
        #expect(try folder.names == ["film.mp4"])
    }

    @Test("that is empty after a crash counts as none")
    func empty() async throws {
        let bytes = try folder.fill(10)
        try Data().write(to: folder.record)
        try await upload.send(on: endpoint)
        #expect(server.uploads["/1"]?.bytes == bytes)
        #expect(try folder.names == ["film.mp4"])
    }

    @Test(
        "that is a pipe isn't waited for, and one in a missing folder fails before a byte is sent"
    )
    func unusable() async throws {
        try folder.fill(10)
        #expect(mkfifo(folder.record.path, 0o600) == 0)
        var upload = upload
        for record in [folder.record, folder.url.appendingPathComponent("none/record")] {
            upload.record = record
            let error = await #expect(throws: TusError.self) { try await upload.send(on: endpoint) }
            guard case .unusableRecord(path: record.path, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(server.methods == "")
    }

    @Test("is removed with the upload on the server", arguments: [204, 404, 410])
    func termination(status: Int) async throws {
        try folder.fill(3000)
        try await upload.terminate(on: endpoint)
        #expect(server.mock.requests.isEmpty)
        await interrupt()
        server.script(.delete, .refused(500))
        await #expect(throws: TusError.self) { try await upload.terminate(on: endpoint) }
        #expect(try folder.names == ["film.mp4", "film.mp4.tus"])
        if status != 204 { server.script(.delete, .refused(status)) }
        try await upload.terminate(on: endpoint)
        #expect(try folder.names == ["film.mp4"])
        #expect(server.uploads.isEmpty == (status == 204))
        #expect(server.violations.isEmpty)
    }

    @Test(
        "is removed after a 403 only if the server doesn't know the upload",
        arguments: [200, 403, 410, 500]
    )
    func forbiddenTermination(status: Int) async throws {
        try folder.fill(3000)
        await interrupt()
        server.script(.delete, .refused(403))
        if status != 200 { server.script(.head, .refused(status)) }
        let isUnknown = status == 403 || status == 410
        do throws(TusError) {
            try await upload.terminate(on: endpoint)
            #expect(isUnknown)
        } catch {
            #expect(!isUnknown)
            #expect(error.response?.statusCode == 403)
        }
        #expect(try folder.names == ["film.mp4"] + (isUnknown ? [] : ["film.mp4.tus"]))
        #expect(server.methods.hasSuffix("DELETE HEAD"))
    }

    @Test("isn't written for a file that can't be read")
    func unreadable() async throws {
        let error = await #expect(throws: TusError.self) { try await upload.send(on: endpoint) }
        guard case .request(.invalidRequest(let invalid)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(invalid.reason == .unreadableFile(folder.file.path))
        #expect(try folder.names.isEmpty)
    }
}
