import Foundation
import NetKit
import Testing

@testable import CacheTests

@Suite struct ResponseCheckTests {
    /// What the check of a second response says; the body is right where none is given.
    private func failure(
        _ step: JSONValue,
        status: Int = 200,
        _ fields: [(HTTPHeaderName, String)] = [("Server-Request-Count", "2")],
        body: String = "uuid"
    ) throws -> TestFailure? {
        let response = StepResponse(
            status: status,
            headers: HTTPHeaders(fields),
            body: Data(body.utf8)
        )
        let check = ResponseCheck(
            step: try Step(step),
            number: 2,
            uuid: "uuid",
            response: response
        )
        do throws(TestFailure) {
            try check.run()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [("1", true), ("2", false), ("x", false)])
    func `takes a response for cached if the server counted fewer requests`(
        count: String,
        isCached: Bool
    ) throws {
        let failure = try failure(
            ["expected_type": "cached"],
            [("Server-Request-Count", count)]
        )
        #expect(
            failure == (isCached ? nil : .assertion("Response 2 does not come from cache"))
        )
    }

    @Test func `takes a cached response for a failure where the server has to be asked`() throws {
        let fields: [(HTTPHeaderName, String)] = [("Server-Request-Count", "1")]
        let expected = "Response 2 comes from cache"
        #expect(try failure(["expected_type": "not_cached"], fields) == .assertion(expected))
        let step: JSONValue = ["expected_type": "not_cached", "setup_tests": ["expected_type"]]
        #expect(try failure(step, fields) == .setup(expected))
    }

    @Test func `says that a request should have been conditional at status 999`() throws {
        #expect(
            try failure(["expected_type": "etag_validated"], status: 999)
                == .assertion("Request 2 should have been conditional, but it was not.")
        )
    }

    @Test func `takes another status for a failed setup unless the test expects one`() throws {
        #expect(try failure([:], status: 404) == .setup("Response 2 status is 404, not 200"))
        #expect(
            try failure(["expected_status": 504], status: 404)
                == .assertion("Response 2 status is 404, not 504")
        )
        #expect(try failure(["expected_status": nil], status: 404) == nil)
        #expect(try failure(["response_status": [404, "Not Found"]], status: 404) == nil)
    }

    @Test func `compares fields with values, dates, other fields and numbers`() throws {
        let fields: [(HTTPHeaderName, String)] = [
            ("Age", "3"), ("A", "1"), ("B", "1"), ("Server-Now", "1000500"),
            ("Date", "Thu, 01 Jan 1970 00:16:50 GMT"),
        ]
        for met: JSONValue in [["Age", ">", 2], ["A", "=", "B"], ["Date", 10], "A", ["a", "1"]] {
            #expect(try failure(["expected_response_headers": [met]], fields) == nil, "\(met)")
        }
        for unmet: JSONValue in [
            ["Age", ">", 3], ["A", "=", "Age"], ["Date", 9], "C", ["A", "2"],
        ] {
            let failure = try failure(["expected_response_headers": [unmet]], fields)
            guard case .assertion = failure else {
                Issue.record("\(unmet): \(String(describing: failure))")
                continue
            }
        }
        #expect(
            try failure(["expected_response_headers_missing": ["A"]], fields)
                == .assertion("Response 2 includes unexpected header A: \"1\"")
        )
    }

    @Test func `compares the body with the expected text, the configured one or the identifier`()
        throws
    {
        #expect(
            try failure([:], body: "x") == .setup("Response body is \"x\", not \"uuid\"")
        )
        #expect(try failure(["response_body": "x"], body: "x") == nil)
        #expect(
            try failure(["expected_response_text": "y", "response_body": "x"], body: "x")
                == .assertion("Response body is \"x\", not \"y\"")
        )
        #expect(try failure(["check_body": false], body: "x") == nil)
    }

    @Test func `sees that a request reached the server twice`() throws {
        #expect(try failure([:], [("Request-Numbers", "1 2 2")]) == .setup("retry"))
        #expect(try failure([:], [("Request-Numbers", "1 2 3")]) == nil)
    }

    @Test func `refuses what it would have to pass over`() {
        #expect(throws: UnknownForm.self) { try Step(["expected_trailers": []]) }
        #expect(throws: UnknownForm.self) { try Step(["redirect": "error"]) }
        #expect(throws: UnknownForm.self) { try Step(["expected_type": "revalidated"]) }
    }
}
