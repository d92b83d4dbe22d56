import Foundation
import NetKit
import NetKitTesting
import Testing

extension MimeType {
    fileprivate static let diary: MimeType = "application/vnd.diary+json"
}

extension MimeType.Application {
    fileprivate static let ledger = MimeType.Application(rawValue: "vnd.ledger")
}

@Suite("Media types", .timeLimit(.minutes(15)))
struct MediaTypeScenarios {
    /// Text becomes a media type and its parts.
    @Test(
        "parses a type with its parameters",
        arguments: [
            ("application/json; charset=utf-8", "application/json", ["charset": "utf-8"]),
            ("Text/HTML", "text/html", [:]),
            (
                #"multipart/form-data; boundary="a;b\"c""#, "multipart/form-data",
                ["boundary": #"a;b"c"#]
            ),
        ]
    )
    func parsing(text: String, essence: String, parameters: [String: String]) throws {
        let type = try #require(MimeType(text))
        #expect("\(type.type)/\(type.subtype)" == essence)
        #expect(type.parameters == parameters)
    }

    /// What is no media type is nil.
    @Test(
        "doesn't parse anything else",
        arguments: ["", "json", "a/", "/b", "a/b; =c", "a b/c"]
    )
    func noMediaType(text: String) {
        #expect(MimeType(text) == nil)
    }

    /// Families and their members write what the registry says.
    @Test(
        "has the names in IANA's registry",
        arguments: [
            (MimeType.application(.json), "application/json"),
            (.audio(.mp4), "audio/mp4"),
            (.image(.png), "image/png"),
            (.image(.jpeg), "image/jpeg"),
            (
                .application(.json, parameters: ["charset": "utf-8"]),
                "application/json; charset=utf-8"
            ),
            (.application(.ledger), "application/vnd.ledger"),
            (.diary, "application/vnd.diary+json"),
        ]
    )
    func families(type: MimeType, text: String) {
        #expect(type.rawValue == text)
    }

    /// Equality is that of RFC 9110.
    @Test("compares without regard to letter case")
    func equality() {
        #expect(MimeType("Application/JSON") == .application(.json))
        #expect(MimeType("text/plain; Charset=UTF-8") == MimeType("text/plain;charset=utf-8"))
        #expect(MimeType("text/plain") != MimeType("text/html"))
    }

    /// A user's own type goes over the wire and comes back.
    @Test("round-trips a custom type through a header field", arguments: CallStyle.allCases)
    func ownType(style: CallStyle) async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.route("POST", "/x") { request in
            .data(request.body, contentType: "Application/VND.diary+JSON")
        }
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        var request = DefaultRequest<MimeType?, ServerMessage>(
            path: "x",
            method: .post,
            body: .raw(Data("{}".utf8)),
            responseDecoding: ResponseDecoding { response, _ in response.headers.contentType }
        )
        request.headers.contentType = .diary
        let outcome = await style.outcome(of: request, on: endpoint)
        #expect(outcome.value == .diary)
        #expect(server.requests.first?.headers(named: "Content-Type") == [MimeType.diary.rawValue])
    }
}
