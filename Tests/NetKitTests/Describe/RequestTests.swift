import Foundation
import Testing

@testable import NetKit

@Suite("Request")
struct RequestTests {
    private struct Minimal<Value: Decodable & Sendable>: Request {
        typealias ResponseObjectType = Value
        let path = "x"
    }

    private struct Nothing: Request {
        typealias ResponseObjectType = Void
        let path = "x"
    }

    private enum Grouped: Request {
        typealias ResponseObjectType = [Int]
        case list(page: Int)
        case one(id: String)

        var path: String {
            switch self {
            case .list: "items"
            case .one(let id): "items/\(id)"
            }
        }
        var queryParams: [(String, String)] {
            if case .list(let page) = self { [("page", "\(page)")] } else { [] }
        }
    }

    @Test("requires only a path")
    func defaults() {
        let request = Minimal<Int>()
        #expect(request.method == .get)
        #expect(request.queryParams.isEmpty && request.headers.isEmpty)
        #expect(request.body == nil && request.timeout == nil && request.authToken == nil)
        #expect(request.responseConverter == nil && request.errorConverter == nil)
        #expect(request.endpoint == nil && request.decoder == nil)
    }

    @Test("accepts the media types of its response type, even in generic code")
    func accept() {
        #expect(Minimal<[Int]>().responseDecoding.accept == "application/json")
        #expect(Minimal<Data>().responseDecoding.accept == "*/*")
        #expect(Minimal<String>().responseDecoding.accept == "*/*")
        #expect(Nothing().responseDecoding.accept == "*/*")
    }

    @Test("can be an enum with one case per request")
    func enums() throws {
        let endpoint = SampleEndpoint()
        #expect(try endpoint.url(Grouped.list(page: 2)) == "http://host.test/api/items?page=2")
        #expect(try endpoint.url(Grouped.one(id: "a")) == "http://host.test/api/items/a")
    }
}
