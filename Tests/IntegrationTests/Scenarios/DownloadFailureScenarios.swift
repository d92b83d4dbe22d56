import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Download failures", .timeLimit(.minutes(15)))
struct DownloadFailureScenarios {
    private struct Release: Request {
        typealias ResponseObjectType = Void
        let path = "release"
    }

    private let folder: TemporaryFolder
    private let server: MockServer
    private let endpoint: Endpoint
    private let content = patterned(1 << 20)

    init() throws {
        folder = try TemporaryFolder()
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL)
        server.route("GET", "/release") { [content] in
            .resource(content, for: $0, eTag: "\"v1\"")
        }
    }

    private func failure(
        _ file: URL,
        checking digest: ContentDigest? = nil
    ) async throws -> DownloadFailure? {
        let request =
            digest.map { Release().download(to: file, checking: $0) }
            ?? Release().download(to: file)
        do throws(ErrorResponse<ServerMessage>) {
            _ = try await endpoint.value(for: request)
            return nil
        } catch {
            let failure = try #require(error.downloadFailure)
            #expect(error.message == failure.description)
            #expect(error.message.contains(file.path))
            return failure
        }
    }

    @Test("fails before sending when the folder is missing")
    func folderMissing() async throws {
        let file = folder.file("missing").appendingPathComponent("file")
        #expect(try await failure(file)?.reason == .folderMissing)
        try Data().write(to: folder.file("plain"))
        let below = folder.file("plain").appendingPathComponent("file")
        #expect(try await failure(below)?.reason == .folderMissing)
        #expect(server.requests.isEmpty)
    }

    @Test("fails before sending when a folder has the file's name")
    func isFolder() async throws {
        #expect(try await failure(folder.url)?.reason == .isFolder)
        #expect(server.requests.isEmpty)
    }

    /// Nothing may be written below /proc, whoever one is.
    @Test(
        "fails without permission to write",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc"))
    )
    func noPermission() async throws {
        let failure = try await failure(URL(fileURLWithPath: "/proc/netkit-test"))
        #expect(failure.map { [.noPermission, .folderMissing].contains($0.reason) } == true)
    }

    @Test("fails on a link or a pipe at the partial file's path, and leaves both intact")
    func notRegularFile() async throws {
        let file = folder.file("file")
        let target = folder.file("target")
        try Data("untouched".utf8).write(to: target)
        try FileManager.default.createSymbolicLink(
            at: folder.file("file.part"),
            withDestinationURL: target
        )
        #expect(try await failure(file)?.reason == .notRegularFile)
        #expect(try Data(contentsOf: target) == Data("untouched".utf8))
        try FileManager.default.removeItem(at: folder.file("file.part"))
        #expect(mkfifo(folder.file("file.part").path, 0o600) == 0)
        #expect(try await failure(file)?.reason == .notRegularFile)
        try FileManager.default.removeItem(at: folder.file("file.part"))
        #expect(try await failure(file) == nil)
        #expect(try Data(contentsOf: file) == content)
    }

    @Test("fails before sending for a name with a NUL, and for what is no file URL")
    func invalidName() async throws {
        let path = folder.file("file").path
        for file in [URL(fileURLWithPath: "\(path)\0.zip"), try #require(URL(string: path))] {
            do {
                _ = try await endpoint.value(for: Release().download(to: file))
                Issue.record("no failure")
            } catch {
                #expect(error.downloadFailure?.reason == .invalidName)
            }
        }
        #expect(server.requests.isEmpty)
        #expect(folder.contents.isEmpty)
    }

    @Test("shows no secret of a URL that isn't a file's")
    func secretDestination() async throws {
        let url = try #require(URL(string: "https://u:hunter2@h.invalid/f?token=hunter3"))
        do {
            _ = try await endpoint.value(for: Release().download(to: url))
            Issue.record("no failure")
        } catch {
            let path = error.downloadFailure?.path ?? ""
            #expect(path.contains("h.invalid/f"))
            #expect(!"\(error) \(error.message) \(path)".contains("hunter"))
        }
    }

    @Test("fails while another download writes the file, and leaves that one intact")
    func inUse() async throws {
        let file = folder.file("file")
        server.route("GET", "/slow") { [content] in
            .resource(content, for: $0, eTag: "\"v1\"").stalling(afterBodyBytes: 100_000)
        }
        let slow = DefaultRequest<Void, ServerMessage>(path: "slow").download(to: file)
        let first = slow.execute(on: endpoint)
        for await transfer in first.transfers where transfer.byteCount == 100_000 { break }
        let second = try await failure(file)
        #expect(second?.reason == .inUse)
        first.cancel()
        _ = await first.result
        // A call that ends early waits for the disk no longer than a second.
        let part = folder.file("file.part")
        await eventually { (try? Data(contentsOf: part))?.count == 100_000 }
        #expect(try Data(contentsOf: part) == content.prefix(100_000))
        #expect(try await failure(file) == nil)
        #expect(try Data(contentsOf: file) == content)
    }

    private func sum(_ file: URL) throws -> Data {
        Data([try Data(contentsOf: file).reduce(0, &+)])
    }

    @Test("saves the file only if its digest matches the expected or the server's digest")
    func digest() async throws {
        let file = folder.file("file")
        let right = Data([content.reduce(0, &+)])
        let check = { @Sendable (file: URL) in try sum(file) }
        #expect(try await failure(file, checking: .sha256(right, computing: check)) == nil)
        #expect(try Data(contentsOf: file) == content)
        #expect(server.requests.last?.header("Want-Repr-Digest") == nil)

        let wrong = Data([right[0] &+ 1])
        let mismatch = try await failure(file, checking: .sha256(wrong, computing: check))
        #expect(mismatch?.reason == .digestMismatch)
        #expect(folder.contents == ["file"])

        let missing = try await failure(file, checking: .sha256(computing: check))
        #expect(missing?.reason == .digestMissing)
        #expect(server.requests.last?.header("Want-Repr-Digest") == "sha-256=10")

        server.route("GET", "/release") { [content] in
            .resource(content, for: $0)
                .header("Repr-Digest", "md5=:AA==:, sha-256=:\(right.base64EncodedString()):")
        }
        #expect(try await failure(file, checking: .sha256(computing: check)) == nil)
    }

    @Test("fails and leaves nothing when the digest can't be computed")
    func digestUnreadable() async throws {
        let file = folder.file("file")
        let digest = ContentDigest.sha256(Data()) { _ in throw CocoaError(.fileReadUnknown) }
        #expect(try await failure(file, checking: digest)?.reason == .digestUnreadable)
        #expect(folder.contents.isEmpty)
    }
}
