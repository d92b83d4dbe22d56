import Foundation
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKit
import NetKitDigest
@testable import NetKitHAR

/// One secret in every place in which a secret can stand, and nothing of it in what NetKit writes down unasked.
@Suite("Secrets", .timeLimit(.minutes(15)))
struct SecretScenarios {
    private static let secret = SecretPlace.secret

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

    /// Starts a call, and keeps what its debug information shows.
    private func start<R: Request>(
        _ request: R,
        on endpoint: Endpoint
    ) -> RequestExecutionOperation<R> {
        let written = written
        return request.execute(on: endpoint).debugResponse(to: logger)
            .onDebug { info in
                let own = [info.cURL ?? "", info.transcript ?? ""]
                written.withLock { $0 += Self.outputs(info) + own }
            }
    }

    /// The texts that contain a secret, encoded or not.
    private static func leaks(in texts: [String]) -> [String] {
        texts.filter { text in
            let plain = text.removingPercentEncoding ?? text
            return SecretPlace.forms.contains { text.contains($0) || plain.contains($0) }
        }
    }

    /// Runs a call both ways and keeps everything that it shows.
    private func run<R: Request>(_ request: R) async throws {
        let operation = start(request, on: endpoint)
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
        let leaks = Self.leaks(in: shown)
        #expect(leaks.isEmpty, "\(leaks.first ?? "")")
    }

    @Test(
        "appears in no output, wherever a request or its response holds it",
        arguments: SecretPlace.all,
        [Redaction.secrets, Redaction(showsFields: true)]
    )
    func places(place: SecretPlace, redaction: Redaction) async throws {
        let base = try #require(URL(string: "http://\(place.user)127.0.0.1:\(server.port)"))
        let endpoint = testEndpoint(baseURL: base)
        (endpoint.logger, endpoint.redaction, endpoint.retryPolicy) = (logger, redaction, .never)
        let recorders = [HARRecorder(), HARRecorder(redaction: redaction)]
        let written = written
        endpoint.observation.registerEvents { event in
            written.withLock { $0 += Self.outputs(event) }
        }
        endpoint.observation.registerExchanges { exchange in
            for recorder in recorders { recorder.record(exchange) }
            written.withLock { $0 += Self.outputs(exchange) }
        }
        endpoint.observation.registerMeasurements { measurement in
            written.withLock { $0 += Self.outputs(measurement) }
        }
        let recording = Endpoint(
            baseURL: base,
            transport: RecordingTransport(wrapping: TransportUnderTest.make(), to: recorders[1])
        )
        for status in [200, 400] {
            server.route("POST", "/place/*") { _ in place.response(status) }
            // The body is no `Item`.
            let request = DefaultRequest<Item, APIError>(
                path: place.path,
                method: .post,
                queryParams: place.query,
                body: place.requestBody,
                headers: place.headers
            )
            let operation = start(request, on: endpoint)
            let result = await operation.result
            await operation.delivered()
            if case .failure(let error) = result {
                // The message is the server's, for people.
                written.withLock { $0 += Self.outputs(error).dropLast() }
            }
            let raw = DefaultRequest<Data, APIError>(
                path: place.path,
                method: .post,
                queryParams: place.query,
                body: place.requestBody,
                headers: place.headers
            )
            let response = try? await endpoint.response(for: raw)
            #expect((response == nil) == (status == 400))
            written.withLock { $0 += Self.outputs(raw) + (response.map(Self.outputs) ?? []) }
            if let http = response?.http {
                written.withLock { $0 += Self.outputs(http) + Self.outputs(http.headers) }
            }
            _ = try? await recording.value(for: raw)
            let command = try endpoint.cURL(for: raw, redacting: redaction)
            written.withLock { $0.append(command) }
        }
        var shown = written.withLock { $0 } + logger.lines
        for recorder in recorders {
            shown.append(String(decoding: try recorder.har.data(), as: UTF8.self))
            for entry in recorder.har.entries {
                let bodies = [entry.response.content.data, entry.request.postData?.data]
                shown += bodies.compactMap { $0 }
                    .map { String(decoding: $0.filter { $0 != 0 }, as: UTF8.self) }
            }
        }
        #expect(recorders.map(\.har.count) == [4, 6])
        #expect(logger.lines.contains { $0.contains(" < 200 OK") })
        shown += server.requests.flatMap(Self.outputs) + Self.outputs(server.requests)
        #expect(server.requests.count == 6, "\(server.requests.map(\.path))")
        let leaks = Self.leaks(in: shown)
        #expect(leaks.isEmpty, "\(leaks.first ?? "")")
    }

    @Test("has more than 150 places to appear in")
    func placeCount() {
        #expect(SecretPlace.all.count >= 150)
        #expect(Set(SecretPlace.all.map(\.name)).count == SecretPlace.all.count)
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
