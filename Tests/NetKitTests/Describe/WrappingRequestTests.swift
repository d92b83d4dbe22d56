import Foundation
import Testing

@testable import NetKit

@Suite("Requests around another request")
struct WrappingRequestTests {
    private struct Base: Request {
        typealias ResponseObjectType = String
        let path = "base"
        let retryPolicy: RetryPolicy? = .never
        let isAuthenticated = false
    }

    private enum Group: Module {
        case base

        var request: any Request { Base() }
    }

    private static func all() throws -> [any Request] {
        let url = try #require(URL(string: "http://h/x"))
        return [
            AnyRequest(Base()), AnyRequest(Group.base.request), Base().download(to: url),
            QueriedRequest(base: Base(), path: "http://h/x"), PolledRequest(base: Base()),
            try LinkedRequest(Base(), at: url, isAbroad: false),
            try LinkedRequest(Base(), at: url, isAbroad: true),
        ]
    }

    @Test("keep its retry policy, and whether it is sent without credentials")
    func policies() throws {
        for request in try Self.all() {
            #expect(request.retryPolicy == .never, "\(type(of: request))")
            #expect(!request.isAuthenticated, "\(type(of: request))")
        }
    }
}
