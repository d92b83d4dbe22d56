import Foundation
import NetKit
import NetKitHAR
import NetKitTesting
import Testing

@Suite("Test of a client with a recording", .timeLimit(.minutes(15)))
struct BookshopReplayTests {
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://bookshop.example/v1"))
    }

    @Test("replays a recorded session")
    func recording() async throws {
        let replay = try ReplayTransport(contentsOf: Fixture("purchase.har").url)
        let shop = Bookshop(Endpoint(baseURL: url, transport: replay, retryingCount: 0))
        try await shop.logIn(user: "ann", password: "another one than in the recording")
        let books = try await shop.books()
        #expect(books.map(\.title) == ["The Sea", "Öde"])
        try await shop.upload(cover: Data([0x89, 0x50]), of: 2)
        #expect(replay.unusedRequests.isEmpty)
    }

    @Test("reports how a client deviates from the recording")
    func difference() async throws {
        let replay = try ReplayTransport(contentsOf: Fixture("purchase.har").url)
        let shop = Bookshop(Endpoint(baseURL: url, transport: replay, retryingCount: 0))
        do throws(ErrorResponse<ShopError>) {
            _ = try await shop.books()
            Issue.record("it was answered")
        } catch {
            #expect(
                "\(error)".contains("POST https://bookshop.example/v1/login is next in the log")
            )
        }
        #expect(replay.unusedRequests.count == 3)
    }

    @Test("responds in any order in lenient mode")
    func lenience() async throws {
        let replay = try ReplayTransport(
            contentsOf: Fixture("purchase.har").url,
            mode: .lenient
        )
        let shop = Bookshop(Endpoint(baseURL: url, transport: replay, retryingCount: 0))
        #expect(try await shop.books().count == 2)
        #expect(try await shop.books().count == 2)
        #expect(
            replay.unusedRequests.map { String($0.prefix(4)) } == ["POST", "PUT "]
        )
    }

    /// `RECORD_FIXTURES=1 swift test --filter BookshopReplayTests` writes the fixture anew.
    @Test("records a session like the fixture")
    func record() async throws {
        let recorded = try await Self.recording()
        if ProcessInfo.processInfo.environment["RECORD_FIXTURES"] == "1" {
            try recorded.write(to: Fixture("purchase.har").url)
        }
        #expect(!String(decoding: try recorded.data(), as: UTF8.self).contains("s3cret"))
        let fixture = try HAR(data: Fixture("purchase.har").data())
        #expect(fixture.count == recorded.count)
        #expect(requests(of: fixture) == requests(of: recorded))
    }

    /// What a log would be replayed for; the boundary of the upload is another one each time.
    private func requests(of log: HAR) -> [String] {
        ReplayTransport(log).unusedRequests
    }

    /// What a purchase over a stub is recorded as.
    private static func recording() async throws -> HAR {
        let encoder = JSONEncoder.snakeCaseISO8601
        encoder.outputFormatting = .sortedKeys
        let stub = StubTransport(basePath: "/v1", encoder: encoder)
        stub.on(LoginRequest(user: "", password: ""), reply: Login(accessToken: "s3cret"))
        stub.on(
            BooksRequest(page: 1),
            reply: [Book(id: 1, title: "The Sea"), Book(id: 2, title: "Öde")]
        )
        stub.on(CoverUpload(Data(), of: 1))
        let recorder = HARRecorder(bodyLimit: .max)
        let recording = RecordingTransport(wrapping: stub, to: recorder)
        let url = try #require(URL(string: "https://bookshop.example/v1"))
        let shop = Bookshop(Endpoint(baseURL: url, transport: recording, retryingCount: 0))
        try await shop.logIn(user: "ann", password: "s3cret")
        _ = try await shop.books()
        try await shop.upload(cover: Data([0x89, 0x50]), of: 2)
        return recorder.har
    }
}
