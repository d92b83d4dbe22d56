import Foundation
import NetKit
import NetKitTesting
import XCTest

/// The same tools under the other test framework.
final class BookshopXCTests: XCTestCase {
    private func shop(over transport: any Transport) throws -> Bookshop {
        let url = try XCTUnwrap(URL(string: "https://bookshop.example/v1"))
        return Bookshop(Endpoint(baseURL: url, transport: transport, retryingCount: 0))
    }

    func testAStubAnswersAndKeepsWhatWasAsked() async throws {
        let stub = StubTransport(basePath: "/v1", encoder: .snakeCaseISO8601)
        stub.on(BooksRequest(page: 1), reply: [Book(id: 1, title: "One")])
        let books = try await shop(over: stub).books()
        XCTAssertEqual(books, [Book(id: 1, title: "One")])
        XCTAssertEqual(stub.requests.map(\.path), ["/v1/books"])
        XCTAssertNoThrow(try stub.checkAllUsed())
    }

    func testAForgottenStubIsNamed() async throws {
        let stub = StubTransport(basePath: "/v1")
        stub.on(LoginRequest(user: "", password: ""), reply: Login(accessToken: "t"))
        do {
            _ = try await shop(over: stub).books()
            XCTFail("it was answered")
        } catch {
            XCTAssertTrue("\(error)".contains("no stub answers GET"), "\(error)")
            XCTAssertTrue("\(error)".contains("POST login"), "\(error)")
        }
        XCTAssertThrowsError(try stub.checkAllUsed()) { error in
            XCTAssertEqual((error as? StubError)?.unused.map(\.path), ["login"])
            XCTAssertEqual((error as? StubError)?.unmatched.count, 1)
        }
    }

    func testARecordingIsReplayed() async throws {
        let replay = try ReplayTransport(contentsOf: Fixture("purchase.har").url, mode: .lenient)
        let books = try await shop(over: replay).books()
        XCTAssertEqual(books.count, 2)
    }

    func testFaultsAreBroughtAbout() async throws {
        let stub = StubTransport(basePath: "/v1")
        stub.on(BooksRequest(page: 1), reply: [])
        let faulty = FaultyTransport(wrapping: stub, seed: 1)
        faulty.add(.refuseConnection, probability: 1)
        do {
            _ = try await shop(over: faulty).books()
            XCTFail("it was answered")
        } catch let error as ErrorResponse<ShopError> {
            guard case .transport(let cause) = error else { return XCTFail("\(error)") }
            XCTAssertEqual(cause.kind, .cannotConnect)
        }
        XCTAssertEqual(faulty.injectedFaults.count, 1)
    }

    /// Stubs belong to their endpoints, whichever test runs beside this one.
    func testStubsDoNotMix() async throws {
        let mixed = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<30 {
                let stub = StubTransport(basePath: "/v1")
                stub.on(BooksRequest(page: 1), reply: [Book(id: number, title: "\(number)")])
                let shop = try shop(over: stub)
                group.addTask {
                    var mixed = 0
                    for _ in 0..<10 where try await shop.books().first?.id != number { mixed += 1 }
                    return mixed + (stub.requests.count == 10 ? 0 : 1)
                }
            }
            return try await group.reduce(0, +)
        }
        XCTAssertEqual(mixed, 0)
    }
}
