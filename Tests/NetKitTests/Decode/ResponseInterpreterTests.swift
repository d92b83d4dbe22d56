import Foundation
import Testing

@testable import NetKit

@Suite("Response interpreter")
struct ResponseInterpreterTests {
    private let unwrap = KeyPathResponseConverter(path: "data")

    @Test(
        "treats only 2xx as success",
        arguments: [
            (200, true), (201, true), (226, true), (299, true), (300, false), (304, false),
            (400, false),
            (418, false), (500, false), (599, false), (199, false),
        ]
    )
    func statuses(code: Int, succeeds: Bool) throws {
        let response = try HTTPResponse.sample(#"{"id":1}"#, status: HTTPStatus(rawValue: code))
        switch SampleRequest(SampleUser.self).interpreted(response) {
        case .success: #expect(succeeds)
        case .failure(let error):
            #expect(!succeeds)
            #expect(error.statusCode == code)
        }
    }

    @Test(
        "decodes JSON, text and bytes by type",
        arguments: [nil, "application/json", "text/html"]
    )
    func types(type: String?) throws {
        let response = try HTTPResponse.sample(#"{"id":1}"#, type: type)
        #expect(try SampleRequest(SampleUser.self).interpreted(response).get() == SampleUser(id: 1))
        #expect(try SampleRequest(String.self).interpreted(response).get() == #"{"id":1}"#)
        #expect(try SampleRequest(Data.self).interpreted(response).get() == response.body)
        #expect(try SampleRequest(String?.self).interpreted(response).get() == #"{"id":1}"#)
        #expect(try SampleRequest(JSONValue.self).interpreted(response).get() == ["id": 1])
        #expect(try SampleRequest(SampleUser?.self).interpreted(response).get()?.id == 1)
    }

    @Test("decodes a JSON string without its quotes")
    func jsonString() throws {
        let quoted = try HTTPResponse.sample(" \"a\\n\\u00e9\" ")
        #expect(try SampleRequest(String.self).interpreted(quoted).get() == "a\né")
        let text = try HTTPResponse.sample("\"a\"", type: "text/plain")
        #expect(try SampleRequest(String.self).interpreted(text).get() == "\"a\"")
        let null = try HTTPResponse.sample("null")
        #expect(try SampleRequest(String?.self).interpreted(null).get() == nil)
        #expect(try SampleRequest(SampleUser?.self).interpreted(null).get() == nil)
    }

    @Test(
        "decodes an empty body to types that can be empty",
        arguments: [
            ("", 200, "GET"), ("", 204, "GET"), ("", 205, "POST"), ("", 200, "HEAD"),
            ("", 201, "PUT"),
        ]
    )
    func noContent(body: String, status: Int, method: String) throws {
        let response = try HTTPResponse.sample(
            body,
            status: HTTPStatus(rawValue: status),
            method: method
        )
        // A converter that would fail shows that none is run.
        let never = ClosureResponseConverter { _ in throw SampleFailure() }
        #expect(
            try SampleRequest(Empty.self, converter: never).interpreted(response).get() == Empty()
        )
        #expect(
            try SampleRequest(Data.self, converter: never).interpreted(response).get() == Data()
        )
        #expect(try SampleRequest(String.self, converter: never).interpreted(response).get() == "")
        #expect(
            try SampleRequest(String?.self, converter: unwrap).interpreted(response).get() == nil
        )
        #expect(try SampleRequest(Data?.self, converter: unwrap).interpreted(response).get() == nil)
        #expect(
            try SampleRequest([Int]?.self, converter: unwrap).interpreted(response).get() == nil
        )
        #expect(try SampleRequest(SampleUser?.self).interpreted(response).get() == nil)
        try SampleRequest(failure: String.self).interpreted(response).get()

        let failure = try #require(throws: ErrorResponse<ServerMessage>.self) {
            try SampleRequest(SampleUser.self, converter: never).interpreted(response).get()
        }
        #expect(
            failure.message.contains("the body is empty; it can't be decoded as SampleUser")
        )
        #expect(failure.statusCode == status)
    }

    @Test("accepts any body for Void and Empty", arguments: ["OK", "{}", "<html>", "\u{0}", "[1"])
    func anyBody(body: String) throws {
        let response = try HTTPResponse.sample(body)
        #expect(
            try SampleRequest(Empty.self, converter: unwrap).interpreted(response).get() == Empty()
        )
        var request = SampleRequest(failure: String.self)
        request.responseConverter = unwrap
        try request.interpreted(response).get()
        let explicit = SampleRequest<Empty, String>(responseDecoding: .json)
        #expect(try explicit.interpreted(response).get() == Empty())
    }

    @Test("doesn't decode 1 as a Bool, like JSONDecoder")
    func strictBooleans() throws {
        let request = SampleRequest(Bool.self)
        #expect(try request.interpreted(.sample("true")).get())
        guard case .failure(.decoding) = try request.interpreted(.sample("1")) else {
            Issue.record("1 is a Bool")
            return
        }
    }

    @Test("converts before it decodes, whatever the type")
    func converters() throws {
        let response = try HTTPResponse.sample(
            #"{"data":"x\"y","list":[{"id":7}]}"#,
            type: "text/plain"
        )
        #expect(
            try SampleRequest(String.self, converter: unwrap).interpreted(response).get() == "x\"y"
        )
        #expect(
            try SampleRequest(Data.self, converter: unwrap).interpreted(response).get()
                == Data(#""x\"y""#.utf8)
        )
        let list = KeyPathResponseConverter(path: "list")
        #expect(
            try SampleRequest([SampleUser].self, converter: list).interpreted(response).get()
                == [SampleUser(id: 7)]
        )
        let first = ClosureResponseConverter { json in
            ((json as? [String: Any])?["list"] as? [Any])?.first as Any
        }
        #expect(
            try SampleRequest(SampleUser.self, converter: first).interpreted(response).get()
                == SampleUser(id: 7)
        )
    }

    @Test("fails to decode with the response and the cause")
    func decodingFailure() throws {
        let response = try HTTPResponse.sample(#"{"data":[{"id":1},{"id":"x"}]}"#)
        let result = SampleRequest([SampleUser].self, converter: unwrap).interpreted(response)
        guard case .failure(.decoding(let kept, let underlying)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(kept.body == response.body)
        let failure = try #require(underlying as? DecodingFailure)
        #expect(failure.path == "data[1].id")
        #expect(failure.expected == "Int")
        #expect(failure.found == "a string")
    }

    @Test("passes on a converter's error unchanged")
    func converterThrows() throws {
        let throwing = ClosureResponseConverter { _ in throw SampleFailure() }
        let result = SampleRequest(SampleUser.self, converter: throwing)
            .interpreted(try .sample("{}"))
        guard case .failure(.decoding(_, let underlying)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(underlying is SampleFailure)
    }

    @Test(
        "reports an impossible conversion with its reason",
        arguments: [
            ("{", ConversionFailure.Reason.malformedJSON("unexpected end at byte 1")),
            ("OK", .malformedJSON("unexpected character at byte 0")),
            (
                "{\"a\":1}",
                .missingNode(keyPath: "data", stoppedAt: "", found: "an object without data")
            ),
        ]
    )
    func conversionFails(body: String, reason: ConversionFailure.Reason) throws {
        let result = SampleRequest(SampleUser.self, converter: unwrap)
            .interpreted(try .sample(body))
        guard case .failure(.decoding(_, let underlying)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect((underlying as? ConversionFailure)?.reason == reason)
    }

    @Test("calls a custom decoding with the right decoder, even for an empty body")
    func customDecoding() throws {
        let decoder = JSONDecoder()
        let request = SampleRequest<String, String>(
            responseDecoding: ResponseDecoding { response, given in
                guard given === decoder else { throw SampleFailure() }
                return "\(response.statusCode) \(response.body.count)"
            }
        )
        let empty = try HTTPResponse.sample(status: 204)
        #expect(try request.interpreted(empty, decoder: decoder).get() == "204 0")
        guard case .failure(.decoding(_, let underlying)) = request.interpreted(empty) else {
            Issue.record("succeeded with another decoder")
            return
        }
        #expect(underlying is SampleFailure)
    }

    @Test("decodes and converts the error of any other status, and keeps the response")
    func serverErrors() throws {
        let converter = KeyPathResponseConverter(path: "errors/0")
        let response = try HTTPResponse.sample(
            #"{"errors":[{"message":"nope","code":7}]}"#,
            status: 422
        )
        let result = SampleRequest(failure: SampleError.self, converter: converter)
            .interpreted(response)
        guard case .failure(.server(let error, let kept)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error == SampleError(message: "nope", code: 7))
        #expect(kept.body == response.body)
        #expect(kept.headers[.contentType] == "application/json")
    }

    @Test(
        "keeps the status and body of an undecodable error",
        arguments: ["[]", "text", "", "<html></html>", "{\"message\":1}", "null"]
    )
    func undecodable(body: String) throws {
        let response = try HTTPResponse.sample(body, status: 404)
        let result = SampleRequest(failure: SampleError.self).interpreted(response)
        guard case .failure(.undecodableServerError(let kept, let underlying)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(kept.statusCode == 404)
        #expect(kept.body == Data(body.utf8))
        #expect(underlying is DecodingFailure)
    }
}
