import Foundation
import NetKitTesting
import Testing

@testable import NetKit

/// One secret in every place in which a secret can stand, and nothing of it in what NetKit writes down unasked.
@Suite("Secrets", .timeLimit(.minutes(15)))
struct SecretScenarios {
    private static let secret = "hunter2-S3CR3T"

    private struct Upload: MultipartFormDataRequest {
        typealias ResponseObjectType = Item
        typealias ErrorType = APIError
        let path: String
        let method: HTTPMethod = .post
        let queryParams = [("access_token", secret), ("page", "1"), ("pin", secret)]
        let body: RequestBody? = .params([
            "password": secret, "name": "n", "page": "https://me:\(secret)@h/?sig=\(secret)",
        ])
        let headers: HTTPHeaders = {
            var headers: HTTPHeaders = [
                "X-Api-Key": secret, "Cookie": "id=\(secret)", "X-Own": secret,
                "X-GitHub-OTP": secret, "Referer": "https://h/?token=\(secret)",
            ]
            headers.set("X-Marked", to: secret, isSensitive: true)
            return headers
        }()
        let authToken: AuthToken? = .custom(key: "X-Custom-Auth", token: secret)
        let files: [any MultipartFile] = [
            DefaultMultipartFile(
                resource: Data(#"{"client_secret":"\#(secret)"}"#.utf8),
                mime: .application(.json),
                name: "file",
                fileName: "f.json"
            )
        ]
        let redaction: Redaction? = Redaction(headers: ["X-Own"])
    }

    private struct Login: Request {
        typealias ResponseObjectType = Item
        typealias ErrorType = APIError
        var path = "login"
        let method: HTTPMethod = .post
        var body: RequestBody? = .params([
            "user": "me", "password": secret, "nested": ["apiKey": secret], "iban": secret,
            "next": "/cb#access_token=\(secret)", "text": #"{"pin":"\#(secret)"}"#,
        ])
        let redaction: Redaction? = Redaction(headers: [], bodyFields: ["iban"])
    }

    private let server: MockServer
    private let endpoint: Endpoint
    private let logger = LineLogger()
    private let written = Locked<[String]>([])
    private let recorder = HARRecorder()

    init() throws {
        server = try MockServer()
        let secret = Self.secret
        let answer = #"{"id":1,"token":"\#(secret)","session":{"cookie":"\#(secret)"}}"#
        for path in ["/login", "/form", "/upload"] {
            server.route("POST", path) { _ in
                .json(text: answer).header("Set-Cookie", "id=\(secret)")
                    .header("Link", "<https://h/?page=2&access_token=\(secret)>; rel=\"next\"")
            }
        }
        server.route(nil, "/moved") { _ in
            .redirect(to: "/upload?access_token=\(secret)#\(secret)", status: 307)
        }
        server.route(nil, "/wrong") { _ in .json(text: #"{"id":"x","token":"\#(secret)"}"#) }
        server.route(nil, "/bad") { _ in
            .json(text: #"{"error":"no","secret":"\#(secret)"}"#, status: 400)
                .header("WWW-Authenticate", "Bearer error=\"x\"")
        }
        server.route(nil, "/cut") { _ in .text("token=\(secret)").cutting(afterBodyBytes: 3) }
        server.route("POST", "/refresh") { _ in .json(text: #"{"access_token":"\#(secret)"}"#) }
        let base = try #require(
            URL(string: "http://user:\(secret)@127.0.0.1:\(server.port)?api_key=\(secret)")
        )
        endpoint = testEndpoint(baseURL: base, headers: ["X-Session": "\(secret)"])
        endpoint.retryPolicy = .never
        endpoint.queryParams = [("auth", secret)]
        endpoint.logger = logger
        let written = written
        endpoint.observation.registerEvents { event in
            written.withLock { $0 += Self.outputs(event) + Self.outputs(event.kind) }
        }
        endpoint.observation.registerExchanges { [recorder] exchange in
            recorder.record(exchange)
            written.withLock { $0 += Self.outputs(exchange) }
        }
        endpoint.observation.registerMeasurements { measurement in
            written.withLock { $0 += Self.outputs(measurement) }
        }
    }

    /// Whatever a value shows of itself without being asked for more.
    private static func outputs(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let message = (value as? any Error)?.localizedDescription ?? ""
        return ["\(value)", String(reflecting: value), dumped, message]
    }

    /// Runs a call both ways and keeps everything that it shows.
    private func run<R: Request>(_ request: R) async throws {
        let written = written
        let operation = request.execute(on: endpoint).debugResponse(to: logger)
            .onDebug { info in
                let own = [info.cURL ?? "", info.transcript ?? ""]
                written.withLock { $0 += Self.outputs(info) + own }
            }
        let result = await operation.result
        await operation.delivered()
        var shown = Self.outputs(result) + operation.history.flatMap(Self.outputs)
        switch result {
        case .success: break
        case .failure(let error): shown += Self.outputs(error)
        }
        do {
            let response = try await endpoint.response(for: request)
            shown +=
                Self.outputs(response) + Self.outputs(response.http)
                + Self.outputs(response.http.headers)
        } catch {
            shown += Self.outputs(error)
        }
        shown.append(try endpoint.cURL(for: request))
        written.withLock { $0 += shown }
    }

    @Test("appears in no default output")
    func nowhere() async throws {
        for path in ["upload", "moved", "wrong", "bad", "cut", "none"] {
            try await run(Upload(path: path))
        }
        try await run(Login())
        try await run(Login(path: "/form", body: .form([("password", Self.secret), ("a", "b")])))
        try await run(Login(path: "/bad", body: .encodable(["refresh_token": Self.secret])))
        let basic = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        let plain = testEndpoint(baseURL: basic)
        plain.authentication = BasicAuthentication(username: "me", password: Self.secret)
        plain.logger = logger
        await Login().execute(on: plain).debugResponse(to: logger).delivered()
        server.route(nil, "/private") { _ in .status(401) }
        let bearer = BearerAuthentication(token: Self.secret) { _, plain in
            struct Tokens: Decodable { let access_token: String }
            let body = RequestBody.form([("refresh_token", Self.secret)])
            let refresh = DefaultRequest<Data, APIError>(path: "refresh", method: .post, body: body)
            let data = try await plain.value(for: refresh)
            return try JSONDecoder().decode(Tokens.self, from: data).access_token
        }
        plain.authentication = bearer
        await Login(path: "private").execute(on: plain).debugResponse(to: logger).delivered()
        let request = DefaultRequest<Item, APIError>(
            path: "login?token=\(Self.secret)",
            method: .post,
            queryParams: [("password", Self.secret)],
            body: .params(["password": Self.secret]),
            headers: ["Authorization": Self.secret]
        )
        try await run(request)
        let stream = try await endpoint.stream(Login())
        written.withLock { $0 += Self.outputs(stream) }
        for try await line in stream.lines { #expect(!line.isEmpty) }
        let recording = Endpoint(
            baseURL: endpoint.baseURL,
            transport: RecordingTransport(wrapping: TransportUnderTest.make(), to: recorder)
        )
        _ = try await recording.value(for: Login())
        #expect(server.requests.contains { $0.path == "/refresh" })
        var shown = written.withLock { $0 } + logger.lines
        let others: [Any] = [
            endpoint, plain, bearer, request, request.execute(on: plain), BearerToken(Self.secret),
            BasicAuthentication(username: "me", password: Self.secret),
            DigestAuthentication(username: "me", password: Self.secret),
        ]
        for value in others { shown += Self.outputs(value) }
        let har = recorder.har
        #expect(har.entries.count > 20)
        shown.append(String(decoding: try har.data(), as: UTF8.self))
        shown += har.entries.flatMap(Self.outputs)
        #expect(shown.count > 300)
        let leaks = shown.filter { text in
            let plain = text.removingPercentEncoding ?? text
            let basic = Data("user:\(Self.secret)".utf8).base64EncodedString()
            let me = Data("me:\(Self.secret)".utf8).base64EncodedString()
            return [Self.secret, basic, me].contains { text.contains($0) || plain.contains($0) }
        }
        #expect(leaks.isEmpty, "\(leaks.first ?? "")")
    }

    private static let awkwardBodies: [(type: String?, body: String)] = [
        ("application/octet-stream", #"{"token":"\(secret)"}"#),
        ("image/png", #"[{"pin":"\(secret)"}]"#),
        ("application/json", #"{"password":"\(secret)" "a"}"#),
        ("application/json", #"{'password':'\(secret)'}"#), ("application/json", secret + "{"),
        ("application/json", #"{"a":"{\"password\":\"\(secret)\"}"}"#),
        ("application/json", #"{"name":"password","value":"\(secret)"}"#),
        ("application/json", #"{"value":"\(secret)","key":"apiKey"}"#),
        ("application/json", #"{"u":"ftp://me:\(secret)@h/","r":"/cb?code=\(secret)"}"#),
        ("application/json", #"{"u":"https:///me:\(secret)@h/","v":"http://me:a/\(secret)@h"}"#),
        ("application/json", String(repeating: "[", count: 600) + secret),
        ("text/plain", "access_token=\(secret)"), ("text/plain", "the password is: \(secret)"),
        (nil, "token: \(secret)"), (nil, #"{"token":"\(secret)"}"#),
        ("text/plain", "see https://me:\(secret)@h/ and //h/?sig=\(secret)"),
        ("text/event-stream", "data: {\"token\":\"\(secret)\"}\n\n"),
        ("application/x-www-form-urlencoded", #"{"password":"\(secret)"}"#),
        ("application/x-www-form-urlencoded", "a=%7B%22pin%22%3A%22\(secret)%22%7D"),
        ("application/x-www-form-urlencoded", "a=b;token=\(secret)"),
        ("multipart/form-data; boundary=B", "--C\r\nname=password\r\n\r\n\(secret)\r\n--C--"),
        ("multipart/form-data", "--B\r\nA: b\r\n\r\n\(secret)\r\n--B--"),
        (
            "multipart/form-data; boundary=B",
            "--B\r\nContent-Disposition: form-data; name*=UTF-8''pass%77ord\r\n\r\n\(secret)\r\n--B--"
        ),
        (
            "multipart/form-data; boundary=B",
            "--B\nContent-Disposition: form-data; name=password\n\n\(secret)\n--B--"
        ),
        ("application/xml", "<a><password>\(secret)</password><b token='\(secret)'/></a>"),
        ("text/xml", "<!DOCTYPE a [<!ENTITY pin '\(secret)'>]><a/>"),
        ("text/html", "<input name=csrf_token value='\(secret)'>"),
    ]

    @Test(
        "appears in no output of a malformed or mislabeled body",
        arguments: awkwardBodies.indices
    )
    func awkward(index: Int) async throws {
        let (type, body) = Self.awkwardBodies[index]
        server.route("POST", "/awkward") { _ in .data(Data(body.utf8), contentType: type) }
        let request = DefaultRequest<Data, APIError>(
            path: "awkward",
            method: .post,
            body: .raw(Data(body.utf8)),
            headers: type.map { [.contentType: $0] } ?? [:]
        )
        try await run(request)
        let har = recorder.har
        let file = String(decoding: try har.data(), as: UTF8.self)
        let bodies = har.entries.compactMap { $0.response.content.data }
        let shown =
            written.withLock { $0 } + logger.lines + [file]
            + bodies.map { String(decoding: $0, as: UTF8.self) }
        #expect(har.entries.count == 2 && logger.lines.contains { $0.contains(" < 200 OK") })
        let leaks = shown.filter { $0.contains(Self.secret) }
        #expect(leaks.isEmpty, "\(leaks.first ?? "")")
    }

    @Test("appears in no dump of an error with an underlying Foundation error")
    func errors() throws {
        let url = try #require(URL(string: "https://h/?token=\(Self.secret)"))
        let info: [String: any Sendable] = [NSURLErrorFailingURLErrorKey: url]
        let cause = NSError(domain: NSURLErrorDomain, code: -1004, userInfo: info)
        let error = TransportError(.cannotConnect, underlying: cause)
        let others: [any Error] = [
            error, StreamFailure.transport(error), ErrorResponse<APIError>.transport(error),
        ]
        for other in others {
            #expect(Self.outputs(other).allSatisfy { !$0.contains(Self.secret) })
            #expect("\(other)" == "could not connect to the server")
        }
        #expect(
            Self.outputs(ExchangeFailure.failed(error)).allSatisfy { !$0.contains(Self.secret) }
        )
    }

    @Test("appears in a curl command without redaction")
    func asked() throws {
        let command = try endpoint.cURL(for: Upload(path: "upload"), redacting: .none)
        #expect(command.components(separatedBy: Self.secret).count == 17)
    }
}
