import Foundation
import NetKit
import Testing

@testable import CacheTests

@Suite struct ServerCheckTests {
    private func failure(_ steps: [JSONValue], _ state: [JSONValue]) throws -> TestFailure? {
        let response = StepResponse(status: 200, headers: ["A": "1"], body: Data())
        let check = ServerCheck(
            steps: try steps.map(Step.init),
            responses: steps.map { _ in response },
            state: try state.map(ServerRequest.init)
        )
        do throws(TestFailure) {
            try check.run()
            return nil
        } catch {
            return error
        }
    }

    /// A request as the server notes it.
    private func seen(_ number: Int, _ fields: JSONValue = [:], _ sent: JSONValue = []) -> JSONValue
    {
        [
            "request_num": .number(Decimal(number)), "request_method": "GET",
            "request_headers": fields, "response_headers": sent,
        ]
    }

    @Test func `passes over requests that came from the cache`() throws {
        let steps: [JSONValue] = [
            [:], ["expected_type": "cached"], ["expected_type": "not_cached"],
        ]
        #expect(try failure(steps, [seen(1), seen(3)]) == nil)
        #expect(
            try failure(steps, [seen(1), seen(2)])
                == .assertion("Response 3 comes from cache (2 on server)")
        )
        guard case .error("TypeError", _) = try failure(steps, [seen(1)]) else {
            Issue.record("a request that was not sent is an error")
            return
        }
    }

    @Test func `wants the validator that the test names`() throws {
        let steps: [JSONValue] = [[:], ["expected_type": "etag_validated"]]
        #expect(try failure(steps, [seen(1), seen(2, ["if-none-match": "\"a\""])]) == nil)
        #expect(
            try failure(steps, [seen(1), seen(2, ["if-modified-since": "x"])])
                == .assertion("request 2 doesn't have if-none-match header")
        )
        #expect(
            try failure(steps, [seen(1)]) == .assertion("request 2 wasn't sent to server")
        )
    }

    @Test func `wants the fields that the server sent on purpose`() throws {
        #expect(try failure([[:]], [seen(1, [:], [["a", "1"], ["Date", "x"]])]) == nil)
        #expect(
            try failure([[:]], [seen(1, [:], [["A", ["1", "2"]]])])
                == .setup("Response 1 header A is \"1\", not \"1, 2\"")
        )
    }

    @Test func `compares the fields of the request`() throws {
        let step: JSONValue = ["expected_request_headers": [["Cache-Control", "max-age=0"]]]
        #expect(try failure([step], [seen(1, ["cache-control": "max-age=0"])]) == nil)
        #expect(
            try failure([step], [seen(1)])
                == .assertion("Request 1 header Cache-Control is \"undefined\", not \"max-age=0\"")
        )
    }
}
