import Foundation
import NetKit
import NetKitDigest
import Testing

@Suite("WebDAV server with Digest authentication", .needs(.webDAV), .timeLimit(.minutes(10)))
struct WebDAVTests {
    private func endpoint(_ engine: Engine, password: String = "open sesame") throws -> Endpoint {
        let endpoint = try engine.endpoint(.webDAV)
        endpoint.authentication = DigestAuthentication(username: "reader", password: password)
        return endpoint
    }

    @Test("creates folders, and lists, moves, copies and deletes files", arguments: Engine.allCases)
    func files(engine: Engine) async throws {
        let endpoint = try endpoint(engine)
        let folder = "files-\(engine.rawValue)"
        let made = try await endpoint.response(for: MakeFolderRequest(path: folder))
        #expect(made.http.status == .created)
        let content = Data("Grüße".utf8)
        let put = PutFileRequest("\(folder)/ä%20b.txt", content)
        #expect(try await endpoint.response(for: put).http.status == .created)
        let listed = try await endpoint.value(for: ListRequest(path: folder))
        #expect(listed.map(\.path) == ["/\(folder)/", "/\(folder)/ä b.txt"])
        #expect(listed.map(\.isFolder) == [true, false])
        #expect(listed.map(\.length) == [nil, content.count])
        let base = try RealServer.webDAV.url.absoluteString
        let move = TransferRequest(
            .move,
            "\(folder)/ä%20b.txt",
            to: "\(base)/\(folder)/c.txt"
        )
        #expect(try await endpoint.response(for: move).http.status == .created)
        let copy = TransferRequest(.copy, "\(folder)/c.txt", to: "\(base)/\(folder)/d.txt")
        try await endpoint.value(for: copy)
        #expect(try await failure(of: copy, on: endpoint).statusCode == 412)
        let names = try await endpoint.value(for: ListRequest(path: folder)).map(\.path)
        #expect(Set(names) == ["/\(folder)/", "/\(folder)/c.txt", "/\(folder)/d.txt"])
        #expect(try await endpoint.value(for: GetFileRequest(path: "\(folder)/d.txt")) == content)
        try await endpoint.value(for: DeleteFileRequest(path: folder))
        let error = try await failure(of: ListRequest(path: folder), on: endpoint)
        #expect(error.statusCode == 404)
    }

    @Test("reports a conflict by its status", arguments: Engine.allCases)
    func conflicts(engine: Engine) async throws {
        let endpoint = try endpoint(engine)
        let folder = "conflicts-\(engine.rawValue)"
        let inner = MakeFolderRequest(path: "\(folder)/inner")
        #expect(try await failure(of: inner, on: endpoint).statusCode == 409)
        try await endpoint.value(for: MakeFolderRequest(path: folder))
        let again = MakeFolderRequest(path: folder)
        #expect(try await failure(of: again, on: endpoint).statusCode == 405)
        let move = TransferRequest(.move, "\(folder)/none", to: "/\(folder)/else")
        #expect(try await failure(of: move, on: endpoint).statusCode == 404)
        try await endpoint.value(for: DeleteFileRequest(path: folder))
    }

    @Test("lets only the lock's owner write", arguments: Engine.allCases)
    func locks(engine: Engine) async throws {
        let endpoint = try endpoint(engine)
        let file = "locked-\(engine.rawValue).txt"
        try await endpoint.value(for: PutFileRequest(file, Data("1".utf8)))
        let lock = try await endpoint.response(for: LockRequest(path: file))
        let token = try #require(lock.http.headers["Lock-Token"])
        #expect(lock.value.contains("lockdiscovery"))
        let write = PutFileRequest(file, Data("2".utf8))
        #expect(try await failure(of: write, on: endpoint).statusCode == 423)
        let headers: HTTPHeaders = ["If": "(\(token))"]
        try await endpoint.value(for: PutFileRequest(file, Data("3".utf8), headers: headers))
        #expect(try await endpoint.value(for: GetFileRequest(path: file)) == Data("3".utf8))
        try await endpoint.value(for: UnlockRequest(file, token: token))
        try await endpoint.value(for: DeleteFileRequest(path: file))
    }

    // The first request has no credentials yet: the server rejects it before it reads the body.
    @Test("accepts a large file after a 401", arguments: Engine.allCases)
    func largeFile(engine: Engine) async throws {
        let endpoint = try endpoint(engine)
        let file = "large-\(engine.rawValue).bin"
        let content = Data.noise(4 << 20)
        try await endpoint.value(for: PutFileRequest(file, content))
        #expect(try await endpoint.value(for: GetFileRequest(path: file)) == content)
        try await endpoint.value(for: DeleteFileRequest(path: file))
    }

    @Test("rejects a missing or wrong password", arguments: Engine.allCases)
    func strangers(engine: Engine) async throws {
        let list = ListRequest(path: "/")
        let nobody = try await failure(of: list, on: engine.endpoint(.webDAV))
        #expect(nobody.statusCode == 401)
        #expect(nobody.response?.headers[.wwwAuthenticate]?.hasPrefix("Digest ") == true)
        let wrong = try await failure(of: list, on: endpoint(engine, password: "wrong"))
        #expect(wrong.statusCode == 401)
    }
}
