import Foundation
import NetKit
import NetKitTesting
import Testing

/// Images as data, and formats other than JSON.
@Suite("Custom formats", .timeLimit(.minutes(15)))
struct FormatScenarios {
    private struct Get<Value: Sendable>: Request {
        typealias ResponseObjectType = Value
        let path = "x"
        let responseDecoding: ResponseDecoding<Value>
    }

    private struct Row: Hashable, Sendable {
        let name: String
        let count: Int
    }

    private struct Malformed: Error, Equatable {
        let line: String
    }

    private static let rows = ResponseDecoding(accept: "text/csv") { response, _ in
        try response.text.split(separator: "\n").dropFirst()
            .map { line in
                let cells = line.split(separator: ",")
                guard cells.count == 2, let count = Int(cells[1]) else {
                    throw Malformed(line: String(line))
                }
                return Row(name: String(cells[0]), count: count)
            }
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    private func answer(_ body: Data, mime: String?) {
        server.route(nil, "/x") { _ in .data(body, contentType: mime) }
    }

    @Test("decodes lines with a closure", arguments: CallStyle.allCases)
    func csv(style: CallStyle) async throws {
        answer(Data("name,count\na,1\nb,2\n".utf8), mime: "text/csv")
        let rows = try await style.outcome(of: Get(responseDecoding: Self.rows), on: endpoint).get()
        #expect(rows == [Row(name: "a", count: 1), Row(name: "b", count: 2)])
        #expect(server.requests.first?.header("Accept") == "text/csv")
        answer(Data("name,count\nnonsense\n".utf8), mime: "text/csv")
        let error = await style.outcome(of: Get(responseDecoding: Self.rows), on: endpoint).error
        guard case .decoding(_, let underlying) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(underlying as? Malformed == Malformed(line: "nonsense"))
    }

    @Test("composes formats")
    func composition() async throws {
        answer(Data(#"{"id":4}"#.utf8), mime: "application/json")
        let decoding = ResponseDecoding<Item>.json
            .map { item in
                guard item.id > 3 else { throw Malformed(line: "\(item.id)") }
                return "item \(item.id)"
            }
        #expect(try await endpoint.value(for: Get(responseDecoding: decoding)) == "item 4")
        #expect(server.requests.first?.header("Accept") == "application/json")
        answer(Data(#"{"id":3}"#.utf8), mime: "application/json")
        let error = await CallStyle.async.outcome(of: Get(responseDecoding: decoding), on: endpoint)
            .error
        guard case .decoding(let response, let underlying as Malformed) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(underlying.line == "3")
        #expect(response.statusCode == 200)
    }
}
