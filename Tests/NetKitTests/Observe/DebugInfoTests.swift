import Foundation
import Testing

@testable import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Debug information")
struct DebugInfoTests {
    private func encoded(_ url: String = "https://h/p?token=SECRET") throws -> EncodedRequest {
        EncodedRequest(
            url: try #require(URL(string: url)),
            method: .post,
            headers: ["Authorization": "Bearer SECRET", "Content-Type": "text/plain"],
            body: BodySource(Data("body".utf8))
        )
    }

    private func info(
        _ response: HTTPResponse?,
        error: ErrorResponse<String>? = nil
    ) throws -> DebugInfo {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Key": "SECRET"]
        return DebugInfo(
            sessionConfiguration: configuration,
            request: try encoded(),
            response: response,
            error: error,
            duration: 0.0123
        )
    }

    @Test("has the request, the response and the duration")
    func parts() throws {
        let response = try HTTPResponse.sample(#"{"a":1}"#, status: 201, url: "https://h/q")
        let info = try info(response)
        let request = try #require(info.request)
        #expect(request.url?.absoluteString == "https://h/p?token=SECRET")
        #expect(request.httpMethod == "POST")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer SECRET")
        #expect(request.httpBody == Data("body".utf8))
        #expect(info.dataResponse == response.body)
        #expect(info.urlResponse?.statusCode == 201)
        #expect(info.urlResponse?.url?.absoluteString == "https://h/q")
        #expect(info.urlResponse?.value(forHTTPHeaderField: "content-type") == "application/json")
        #expect(info.requestDuration == 0.0123)
        #expect(info.errorResponse == nil)
        #expect(info.stringResponse == #"{"a":1}"#)
        #expect((info.jsonResponse as? [String: Int]) == ["a": 1])
    }

    @Test("has a curl command without secrets")
    func command() throws {
        let command = try #require(try info(nil).cURL)
        #expect(command.hasPrefix("curl --request POST"))
        #expect(command.contains("--data-binary '‹redacted: "))
        #expect(!command.contains("SECRET"))
    }

    @Test("has neither request nor response for an invalid request")
    func refused() {
        let invalid = InvalidRequest(.missingEndpoint)
        let info = DebugInfo(
            sessionConfiguration: .ephemeral,
            request: nil,
            response: nil,
            error: ErrorResponse<String>.invalidRequest(invalid),
            duration: 0
        )
        #expect(info.request == nil)
        #expect(info.cURL == nil)
        #expect(info.dataResponse == nil)
        #expect(info.urlResponse == nil)
        #expect(info.stringResponse == nil)
        #expect(info.jsonResponse == nil)
        #expect(info.errorResponse is ErrorResponse<String>)
    }

    @Test(
        "returns the body as text and as JSON when possible",
        arguments: [
            (Data(#""x""#.utf8), "application/json", #""x""#, true),
            (Data("x".utf8), "text/plain", "x", false),
            (Data([0xE9]), "text/plain; charset=iso-8859-1", "é", false),
            (Data([0xFF, 0xFE, 0xFD]), "image/png", nil, false), (Data(), nil, "", false),
        ] as [(Data, String?, String?, Bool)]
    )
    func views(body: Data, type: String?, text: String?, isJSON: Bool) throws {
        let info = try info(HTTPResponse.sample(data: body, type: type))
        #expect(info.dataResponse == body)
        if body.first != 0xFF { #expect(info.stringResponse == text) }
        #expect((info.jsonResponse != nil) == isJSON)
    }

    @Test("has no JSON that Swift can't compare in time")
    func marks() throws {
        let body = Data("{\"a\(CombiningMarksTests.unsorted())\":1}".utf8)
        #expect(try info(HTTPResponse.sample(data: body)).jsonResponse == nil)
    }

    @Test("is described without secrets and bodies")
    func descriptions() throws {
        let response = try HTTPResponse.sample("SECRET", status: 404)
        let infos = [
            try info(response), try info(nil), try info(nil, error: .cancelled),
            try info(response, error: .server("SECRET", response)),
        ]
        for info in infos {
            var dumped = ""
            dump(info, to: &dumped)
            for text in ["\(info)", String(reflecting: info), dumped, "\([info])"] {
                #expect(text.contains("POST https://h/p?token"))
                #expect(text.contains("12.3 ms"))
                #expect(!text.contains("SECRET"))
            }
        }
        #expect("\(infos[0])" == "POST https://h/p?token (4 bytes): 404 Not Found, 12.3 ms")
        #expect("\(infos[1])".contains("no response"))
        #expect("\(infos[2])".contains("canceled"))
    }
}
