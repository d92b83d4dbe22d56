import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Fixture")
struct FixtureTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")

    private func fixture(_ name: String) -> Fixture {
        Fixture(name, of: folder.appending(path: "Tests.swift").path)
    }

    @Test("reads a file beside the source file as bytes, text, JSON and values")
    func contents() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let bird = fixture("birds/wren.json")
        #expect(bird.url.path == folder.path + "/Fixtures/birds/wren.json")
        let data = try await bird.data { Data(#"{"name":"wren"}"#.utf8) }
        #expect(try bird.data() == data)
        #expect(try bird.text() == #"{"name":"wren"}"#)
        #expect(try bird.json() == ["name": "wren"])
        #expect(try bird.decoded() == Bird(name: "wren"))
        #expect(Fixture("a.txt", in: "").url.lastPathComponent == "a.txt")
    }

    @Test("refuses JSON that would end the process in JSONDecoder")
    func deepJSON() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = fixture("deep.json")
        _ = try await file.data { Data(String(repeating: "[", count: 513).utf8) }
        let error = try #require(throws: FixtureError.self) { try file.json() }
        #expect(error.description.contains("nested too deeply"))
    }

    @Test("writes a missing file only on request")
    func writing() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = fixture("a.txt")
        #expect(throws: FixtureError.self) { try file.data() }
        #expect(!FileManager.default.fileExists(atPath: file.url.path))
        _ = try await file.data { Data("first".utf8) }
        let again = try await file.data { Data("second".utf8) }
        #expect(again == Data("first".utf8))
        struct NotMade: Error {}
        await #expect(throws: NotMade.self) {
            try await fixture("b.txt").data { throw NotMade() }
        }
        #expect(!FileManager.default.fileExists(atPath: fixture("b.txt").url.path))
    }

    @Test("lists the available files when one is missing")
    func missing() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var failure = #expect(throws: FixtureError.self) { try fixture("wren.json").data() }
        #expect(failure?.reason == .missing(existing: []))
        _ = try await fixture("robin.json").data { Data([0xFF]) }
        failure = #expect(throws: FixtureError.self) { try fixture("wren.json").data() }
        #expect(failure?.reason == .missing(existing: ["robin.json"]))
        #expect(failure?.description.contains("Fixtures/wren.json; there are robin.json") == true)
        failure = #expect(throws: FixtureError.self) { try fixture("robin.json").text() }
        #expect(failure?.reason == .undecodable("it is not UTF-8"))
        failure = #expect(throws: FixtureError.self) {
            try fixture("robin.json").decoded(as: Bird.self)
        }
        #expect(failure?.description.contains("doesn't have the expected content") == true)
    }

    @Test("becomes a response body with the media type of its extension")
    func replies() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try await fixture("wren.json").data { Data(#"{"name":"wren"}"#.utf8) }
        let (wren, robin) = (fixture("wren.json"), fixture("robin.json"))
        let stub = StubTransport()
        stub.on(.get, "/birds/wren") { _ in try .fixture(wren) }
        stub.on(.get, "/birds/robin") { _ in try .fixture(robin) }
        let endpoint = try endpoint(over: stub)
        let response = try await endpoint.response(for: BirdRequest("wren"))
        #expect(response.value.name == "wren")
        #expect(response.http.headers[.contentType] == "application/json")
        let error = await endpoint.transportError(of: BirdRequest("robin"))
        #expect(error?.underlying is FixtureError)
    }
}
