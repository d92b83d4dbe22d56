import Foundation
import NetKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request that says nothing but what has no default.
private struct Plain<Value: Decodable & Sendable>: Request {
    typealias ResponseObjectType = Value
    let path = "plain"
}

@Suite("Public interface of requests")
struct RequestContractTests {
    @Test("has one requirement without a default")
    func defaults() {
        func check<Value, Failure>(_ request: some Request<Value, Failure>) {
            let path: String = request.path
            let method: HTTPMethod = request.method
            let queryParams: [(String, String)] = request.queryParams
            let body: RequestBody? = request.body
            let headers: HTTPHeaders = request.headers
            let timeout: TimeInterval? = request.timeout
            let authToken: AuthToken? = request.authToken
            let responseConverter: (any ResponseJSONConverter)? = request.responseConverter
            let errorConverter: (any ResponseJSONConverter)? = request.errorConverter
            let endpoint: Endpoint? = request.endpoint
            let decoder: JSONDecoder? = request.decoder
            let _: ResponseDecoding<Value> = request.responseDecoding
            let retryPolicy: RetryPolicy? = request.retryPolicy
            let isAuthenticated: Bool = request.isAuthenticated
            let cachePolicy: CachePolicy = request.cachePolicy
            #expect(path == "plain" && method == .get && queryParams.isEmpty && body == nil)
            #expect(headers.map(\.name).isEmpty && timeout == nil && authToken == nil)
            #expect(responseConverter == nil && errorConverter == nil && endpoint == nil)
            #expect(decoder == nil && retryPolicy == nil && isAuthenticated)
            #expect(cachePolicy == .standard)
            #expect(Failure.self == ServerMessage.self)
        }
        check(Plain<[Int]>())
        let erased: any Request<[Int], ServerMessage> = Plain<[Int]>()
        #expect(erased.path == "plain")
        func isResponseObject<Value: ResponseObject>(_: Value.Type) -> Bool { true }
        #expect(isResponseObject([Int].self))
    }

    @Test("has the decoding of its response type")
    func decodings() {
        struct Bytes: Request {
            typealias ResponseObjectType = Data
            let path = ""
        }
        struct Text: Request {
            typealias ResponseObjectType = String
            let path = ""
        }
        struct Nothing: Request {
            typealias ResponseObjectType = Void
            let path = ""
        }
        struct Table: Sendable {}
        struct Own: Request {
            let path = ""
            let responseDecoding = ResponseDecoding<Table> {
                (_: HTTPResponse, _: JSONDecoder) throws -> Table in Table()
            }
        }
        let _: ResponseDecoding<Data> = Bytes().responseDecoding
        let _: ResponseDecoding<String> = Text().responseDecoding
        let _: ResponseDecoding<Void> = Nothing().responseDecoding
        let _: ResponseDecoding<Table> = Own().responseDecoding
        let _: [ResponseDecoding<[Int]>] = [.json, .json(at: "a/b")]
        let _: (ResponseDecoding<Data>, ResponseDecoding<String>, ResponseDecoding<Void>) =
            (.data, .text, .empty)
    }

    @Test("accepts every kind of body")
    func bodies() throws {
        struct User: Codable, Sendable { let id: Int }
        let file = URL(fileURLWithPath: "/dev/null")
        let bodies: [RequestBody] = [
            .raw(Data([1])), .string("t"), .params(["a": 1, "b": [true]]),
            .json(["a": [1, "z", nil], "b": ["x": 1.5]]), .encodable(User(id: 1)),
            .encodable(User(id: 1), encoder: JSONEncoder()), .form([("a", "1")]),
        ]
        let url = try #require(URL(string: "https://api.example.com"))
        let sent = try bodies.map { body in
            let request = DefaultRequest<Void, String>(path: "p", method: .post, body: body)
            let bytes = try Endpoint(baseURL: url).urlRequest(for: request).httpBody
            return String(decoding: bytes ?? Data(), as: UTF8.self)
        }
        #expect(
            sent == [
                "\u{1}", "t", #"{"a":1,"b":[true]}"#, #"{"a":[1,"z",null],"b":{"x":1.5}}"#,
                #"{"id":1}"#, #"{"id":1}"#, "a=1",
            ]
        )
        guard case .params(let members) = bodies[2] else {
            Issue.record("\(bodies[2])")
            return
        }
        #expect(members.keys.sorted() == ["a", "b"] && members.count == 2 && !members.isEmpty)
        var names: [String] = []
        for (name, _) in members { names.append(name) }
        #expect(names.sorted() == ["a", "b"] && members["a"] as? Int == 1)
        let files: [RequestBody] = [.file(file), .file(file, mime: "text/csv")]
        for body in files {
            guard case .file(let url, _) = body else {
                Issue.record("\(body)")
                continue
            }
            #expect(url == file)
        }
    }

    @Test("accepts any JSON, with exact numbers")
    func json() throws {
        func kind(_ value: JSONValue) -> String {
            switch value {
            case .null: "null"
            case .bool(let bool): "\(bool)"
            case .number(let number): "\(number)"
            case .string(let string): string
            case .array(let elements): elements.map(kind).joined(separator: ",")
            case .object(let members): members.keys.sorted().joined(separator: ",")
            }
        }
        let value: JSONValue = ["a": [1, "z", nil, true, 1.5], "b": ["x": 1.5]]
        guard case .object(let members) = value else { throw CocoaError(.coderInvalidValue) }
        #expect(kind(value) == "a,b" && members["a"].map(kind) == "1,z,null,true,1.5")
        let made: [JSONValue] = [
            JSONValue(nilLiteral: ()), JSONValue(booleanLiteral: true),
            JSONValue(integerLiteral: 1),
            JSONValue(floatLiteral: 0.5), JSONValue(stringLiteral: "s"),
            JSONValue(arrayLiteral: 1, nil), JSONValue(dictionaryLiteral: ("k", 1)),
        ]
        #expect(made.map(kind) == ["null", "true", "1", "0.5", "s", "1,null", "k"])
        #expect(Set(made).count == 7)
        let exact = try #require(Decimal(string: "0.12345678901234567890123456789"))
        let text = try JSONEncoder().encode(JSONValue.array([.number(exact)]))
        #expect(try JSONDecoder().decode(JSONValue.self, from: text) == [.number(exact)])
    }

    @Test("doesn't require a custom type")
    func defaultRequest() throws {
        let decoder = JSONDecoder()
        let url = try #require(URL(string: "https://api.example.com"))
        let endpoint = Endpoint(baseURL: url)
        func make<Value>(_ decoding: ResponseDecoding<Value>) -> DefaultRequest<Value, String> {
            DefaultRequest(
                path: "p",
                method: .post,
                queryParams: [("q", "1")],
                body: .string("t"),
                headers: ["A": "1"],
                timeout: 3,
                responseConverter: KeyPathResponseConverter(path: "a"),
                errorConverter: ClosureResponseConverter { $0 },
                endpoint: endpoint,
                decoder: decoder,
                authToken: .bearer("t"),
                responseDecoding: decoding
            )
        }
        var request = make(.data)
        #expect(request.path == "p" && request.method == .post && request.timeout == 3)
        #expect(request.decoder === decoder && request.endpoint === endpoint)
        request.path = "other"
        request.method = .put
        request.queryParams = []
        request.body = nil
        request.headers = [:]
        request.timeout = nil
        request.responseConverter = nil
        request.errorConverter = nil
        request.endpoint = nil
        request.decoder = nil
        request.authToken = nil
        request.responseDecoding = .data
        request.retryPolicy = .never
        request.isAuthenticated = false
        #expect(request.path == "other" && request.body == nil && !request.isAuthenticated)

        // The decoding that a type has by itself.
        let short = (
            DefaultRequest<[Int], String>(path: "p"), DefaultRequest<Data, String>(path: "p"),
            DefaultRequest<String, String>(path: "p"),
            DefaultRequest<Void, ServerMessage>(path: "p")
        )
        #expect(short.0.method == .get && short.1.body == nil && short.2.timeout == nil)
        let long = DefaultRequest<[Int], String>(
            path: "p",
            method: .get,
            queryParams: [],
            body: nil,
            headers: [:],
            timeout: nil,
            responseConverter: nil,
            errorConverter: nil,
            endpoint: nil,
            decoder: nil,
            authToken: nil
        )
        #expect(long.path == short.3.path)
    }

    @Test("converts JSON before decoding")
    func converters() throws {
        struct First: ResponseJSONConverter {
            func convertedJSON(from json: Any) throws -> Any { (json as? [Any])?.first ?? json }
        }
        let converters: [any ResponseJSONConverter] = [
            First(), KeyPathResponseConverter(path: "0"),
            ClosureResponseConverter { ($0 as? [Any])?.first ?? $0 },
        ]
        for converter in converters {
            #expect(try converter.convertedJSON(from: ["a", "b"]) as? String == "a")
        }
    }

    @Test("chooses its retry policy and authentication")
    func secondEdition() {
        struct Settings: Codable, Sendable { var theme: String }
        struct SettingsRequest: Request {
            typealias ResponseObjectType = Settings
            let path = "settings"
            let retryPolicy: RetryPolicy? = .never
            let isAuthenticated = false
        }
        let request: any Request = SettingsRequest()
        #expect(request.retryPolicy?.maximumRetries == 0 && !request.isAuthenticated)
    }
}
