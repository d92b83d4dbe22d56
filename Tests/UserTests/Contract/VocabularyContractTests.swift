import Foundation
import NetKit
import Testing

/// Each public declaration of the first edition, used with its exact names and types.
@Suite("Public interface of HTTP types")
struct VocabularyContractTests {
    @Test("has methods by name and by token")
    func methods() {
        func token(_ method: HTTPMethod) -> String {
            switch method {
            case .get: "GET"
            case .head: "HEAD"
            case .post: "POST"
            case .put: "PUT"
            case .patch: "PATCH"
            case .delete: "DELETE"
            case .options: "OPTIONS"
            case .trace: "TRACE"
            case .connect: "CONNECT"
            case .query: "QUERY"
            case .custom(let token): token
            }
        }
        let make: (String) -> HTTPMethod = HTTPMethod.init(rawValue:)
        let all: [HTTPMethod] = [
            .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect, .query,
            .custom("LINK"),
        ]
        for method in all {
            let raw: String = method.rawValue
            #expect(raw == token(method) && make(raw) == method)
        }
        #expect(HTTPMethod.custom("GET") == .get && Set([.get, make("GET")]).count == 1)
        let safe: [Bool] = [HTTPMethod.get.isSafe, HTTPMethod.put.isSafe]
        let idempotent: [Bool] = [HTTPMethod.put.isIdempotent, HTTPMethod.post.isIdempotent]
        #expect(safe == [true, false] && idempotent == [true, false])
    }

    @Test("has header field names that keep their spelling and compare case-insensitively")
    func names() {
        let make: (String) -> HTTPHeaderName = HTTPHeaderName.init(_:)
        let literal: HTTPHeaderName = "x-TRACE"
        let raw: String = literal.rawName
        #expect(raw == "x-TRACE" && literal == make("X-Trace"))
        #expect(HTTPHeaderName(stringLiteral: "Accept") == HTTPHeaderName.accept)
        #expect(Set([literal, "X-Trace"]).count == 1)
        let all: [HTTPHeaderName] = [
            .accept, .authorization, .contentType, .acceptEncoding, .allow, .date, .host,
            .ifUnmodifiedSince, .te, .vary,
        ]
        let spelled = [
            "Accept", "Authorization", "Content-Type", "Accept-Encoding", "Allow", "Date", "Host",
            "If-Unmodified-Since", "TE", "Vary",
        ]
        #expect(all.map(\.rawName) == spelled)
        let key: RequestHeaderKey = .accept
        #expect(key == HTTPHeaderName.accept)
    }

    @Test("has status codes that keep any number")
    func statuses() {
        let make: (Int) -> HTTPStatus = HTTPStatus.init(rawValue:)
        let literal: HTTPStatus = 299
        let raw: Int = literal.rawValue
        #expect(raw == 299 && literal == make(299) && HTTPStatus(integerLiteral: 299) == literal)
        func kinds(_ status: HTTPStatus) -> [Bool] {
            [
                status.isInformational, status.isSuccessful, status.isRedirection,
                status.isClientError, status.isServerError,
            ]
        }
        for (index, code) in [100, 200, 304, 418, 599].enumerated() {
            #expect(kinds(make(code)) == (0..<5).map { $0 == index })
        }
        #expect(kinds(999) == Array(repeating: false, count: 5))
    }

    @Test("has media types with extensible subtypes by family")
    func mediaTypes() {
        let literal: MimeType = "text/plain; charset=utf-8"
        let type: String = literal.type
        let subtype: String = literal.subtype
        let parameters: [String: String] = literal.parameters
        #expect(type == "text" && subtype == "plain" && parameters == ["charset": "utf-8"])
        let parse: (String) -> MimeType? = MimeType.init(_:)
        #expect(parse("no type") == nil && parse("a/b") == MimeType(rawValue: "a/b"))
        #expect(MimeType(stringLiteral: "a/b").rawValue == "a/b")

        let application: (MimeType.Application, [String: String]) -> MimeType =
            MimeType.application(_:parameters:)
        let audio: (MimeType.Audio, [String: String]) -> MimeType = MimeType.audio(_:parameters:)
        let image: (MimeType.Image, [String: String]) -> MimeType = MimeType.image(_:parameters:)
        #expect(application(.json, ["v": "1"]) == "application/json; v=1")
        #expect(audio(.mp4, [:]) == "audio/mp4" && image(.png, [:]) == "image/png")
        #expect(MimeType.image(.jpeg).rawValue == "image/jpeg")
        let own: [MimeType] = [
            .application(.init(rawValue: "x")), .audio(.init(rawValue: "x")),
            .image(.init(rawValue: "x")), .text(.init(rawValue: "x")), .video(.init(rawValue: "x")),
            .message(.init(rawValue: "x")), .model(.init(rawValue: "x")),
            .multipart(.init(rawValue: "x")), .font(.init(rawValue: "x")), .application(.house),
        ]
        #expect(own.map(\.subtype) == Array(repeating: "x", count: 9) + ["vnd.house"])
    }

    @Test("has credentials")
    func tokens() {
        func kind(_ token: AuthToken) -> String {
            switch token {
            case .bearer(let value): value
            case .basic(let username, let password): username + password
            case .custom(let value): value
            case .header(let name, let value): name.rawName + value
            }
        }
        let custom: (String, String) -> AuthToken = AuthToken.custom(key:token:)
        #expect(kind(.bearer("a")) == "a" && kind(.custom("b")) == "b")
        #expect(kind(.basic(username: "u", password: "p")) == "up")
        #expect(kind(.header(name: "X-Api-Key", value: "k")) == "X-Api-Keyk")
        #expect(Set([custom("Token", "t"), custom("Token", "t")]).count == 1)
    }

    @Test("has header fields in order, with one value per name unless more are appended")
    func headers() {
        var headers: HTTPHeaders = ["A": "1", "a": "2", .accept: "text/plain"]
        #expect(headers["A"] == "2")
        headers["B"] = "3"
        headers["A"] = nil
        headers.set("X-Key", to: "secret", isSensitive: true)
        let sensitive: (HTTPHeaderName) -> Bool = headers.isSensitive(_:)
        #expect(sensitive("x-key") && !sensitive("B"))
        let merged: HTTPHeaders = headers.merging(HTTPHeaders(["B": "4"]))
        let pairs: [(HTTPHeaderName, String)] = merged.map { (name: $0.name, value: $0.value) }
        #expect(pairs.contains { $0 == "B" && $1 == "4" } && pairs.count == 3)
        let iterator = merged.makeIterator()
        let first: (name: HTTPHeaderName, value: String)? = iterator.next()
        #expect(first?.name == .accept)
        #expect(HTTPHeaders().map(\.name).isEmpty && HTTPHeaders([:]).isEmpty)
        #expect(HTTPHeaders(["A": "1", "a": "2"])["a"] == "2")
        #expect(HTTPHeaders([.accept: "text/csv"])[.accept] == "text/csv")
        #expect(HTTPHeaders(dictionaryLiteral: ("A", "1"))["a"] == "1")

        headers.contentType = .application(.json)
        headers.accept = "text/csv"
        headers.language = "de"
        headers.authToken = .bearer("t")
        let types: [MimeType?] = [headers.contentType, headers.accept]
        let (language, token): (String?, AuthToken?) = (headers.language, headers.authToken)
        #expect(types == ["application/json", "text/csv"])
        #expect(language == "de" && token == .bearer("t") && sensitive("X-Key"))
        #expect(headers.isSensitive(.authorization))

        headers.append("5", for: "B")
        let values: [String] = headers.values(for: "b")
        #expect(values == ["3", "5"] && headers["B"] == "3, 5")
    }
}

extension MimeType.Application {
    fileprivate static let house = Self(rawValue: "vnd.house")
}
