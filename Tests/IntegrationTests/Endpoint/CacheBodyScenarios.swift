import Foundation
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKit
import NetKitCache

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Cached bodies", .timeLimit(.minutes(15)))
struct CacheBodyScenarios: CacheSuite {
    let setting: CacheSetting

    init() throws {
        setting = try CacheSetting()
    }

    @Test("serves stored bodies to streams and downloads, and stores theirs")
    func sinks() async throws {
        let folder = try TemporaryFolder()
        let body = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) })
        server.route(nil, "/data") { _ in .data(body).header("Cache-Control", "max-age=60") }
        let request = DefaultRequest<Data, ServerMessage>(path: "data")
        var streamed = Data()
        for try await piece in try await endpoint.stream(request) { streamed.append(piece) }
        #expect(streamed == body)
        await eventually { cache.statistics.stored == 1 }
        #expect(try await endpoint.value(for: request) == body)
        streamed = Data()
        for try await piece in try await endpoint.stream(request) { streamed.append(piece) }
        #expect(streamed == body)
        let file = folder.url.appendingPathComponent("file")
        let download = request.download(to: file)
        let counts = Locked<[Double]>([])
        let outcome = await outcome(
            of: download.execute(on: endpoint)
                .onProgress { progress in counts.withLock { $0.append(progress) } }
        )
        #expect(outcome.error == nil)
        #expect(try Data(contentsOf: file) == body)
        #expect(counts.withLock { $0.last } == 1)
        #expect(server.requests.count == 1)
        cache.removeAll()
        _ = try await endpoint.value(for: download)
        #expect(try await endpoint.value(for: request) == body)
        #expect(server.requests.count == 2)
    }

    @Test("reports no progress of an error's body, stored or not", arguments: [200, 404])
    func progress(status: Int) async throws {
        server.route(nil, "/text") { _ in
            .text("body", status: status).header("Cache-Control", "max-age=60")
        }
        for _ in 0..<2 {
            let progress = Locked(0.0)
            let operation = CachedText().execute(on: endpoint)
                .onProgress { reached in progress.withLock { $0 = max($0, reached) } }
            _ = await outcome(of: operation)
            #expect(progress.withLock { $0 } == (status == 200 ? 1 : 0))
        }
        #expect(server.requests.count == 1)
    }

    @Test("fails for a stored body that is too large for memory, and still streams it")
    func tooLarge() async throws {
        let body = Data(repeating: 7, count: 100_000)
        server.route(nil, "/data") { _ in .data(body).header("Cache-Control", "max-age=60") }
        let request = DefaultRequest<Data, ServerMessage>(path: "data")
        #expect(try await endpoint.value(for: request) == body)
        for (limit, isEnough) in [(100_000, true), (99_999, false)] {
            endpoint.maximumResponseSize = limit
            let result = await outcome(of: request.execute(on: endpoint))
            #expect((result.error == nil) == isEnough)
            if !isEnough { #expect(result.error?.kind == .transport(.responseTooLarge)) }
        }
        var streamed = Data()
        for try await piece in try await endpoint.stream(request) { streamed.append(piece) }
        #expect(streamed == body)
        #expect(server.requests.count == 1)
    }

    @Test("stores whole bodies, even when an exchange interceptor changes them")
    func exchangeInterceptors() async throws {
        setting.serve("max-age=60")
        endpoint.interceptors = [
            ClosureInterceptor(scope: .exchange) { request, next in try await next(request) }
        ]
        #expect(try await setting.get() == "1 miss")
        #expect(try await setting.get() == "1 hit")
        cache.removeAll()
        endpoint.interceptors = [
            ClosureInterceptor(scope: .exchange) { request, next in
                let response = try await next(request)
                return HTTPResponse(
                    request: response.request,
                    url: response.url,
                    status: response.status,
                    headers: response.headers,
                    body: Data("changed".utf8)
                )
            }
        ]
        #expect(try await setting.get() == "changed miss")
    }

    @Test(
        "stores no response that an exchange interceptor turns into one that can't be stored",
        arguments: [(HTTPStatus.unauthorized, "max-age=60"), (HTTPStatus.notFound, "no-store")]
    )
    func interceptedHead(status: HTTPStatus, control: String) async throws {
        setting.serve("max-age=60")
        endpoint.interceptors = [
            ClosureInterceptor(scope: .exchange) { request, next in
                let response = try await next(request)
                var headers = response.headers
                headers[.cacheControl] = control
                return HTTPResponse(
                    to: request,
                    status: status,
                    headers: headers,
                    body: response.body
                )
            }
        ]
        let outcome = await CallStyle.async.outcome(of: CachedText(), on: endpoint)
        #expect(outcome.error?.response?.status == status)
        #expect(cache.statistics.stored == 0)
        endpoint.interceptors = []
        #expect(try await setting.get() == "2 miss")
    }

    @Test(
        "stores no other body than that of the response that an interceptor returns",
        arguments: [
            .text("123", status: 500).header("Cache-Control", "max-age=60"),
            .text("12345").header("Cache-Control", "max-age=60").cutting(afterBodyBytes: 2),
            .text("54321").header("Cache-Control", "max-age=60"),
        ] as [MockResponse]
    )
    func otherLength(second: MockResponse) async throws {
        let folder = try TemporaryFolder()
        setting.route("/text") { number, _ in
            number == 2 ? second : .text("12345").header("Cache-Control", "max-age=60")
        }
        endpoint.interceptors = [
            ClosureInterceptor(scope: .exchange) { request, next in
                let response = try await next(request)
                _ = try? await next(request)
                return response
            }
        ]
        let download = CachedText().download(to: folder.url.appendingPathComponent("file"))
        _ = await CallStyle.async.outcome(of: download, on: endpoint)
        endpoint.interceptors = []
        #expect(try await setting.get() == "12345 miss")
        #expect(server.requests.count == 3)
    }

    @Test("neither stores nor serves event streams")
    func events() async throws {
        server.route(nil, "/events") { _ in
            .text("data: 1\n\n").header("Content-Type", "text/event-stream")
                .header("Cache-Control", "max-age=60")
        }
        for _ in 0..<2 {
            let stream = try await endpoint.stream(TextRequest(path: "events"))
            for try await event in stream.serverSentEvents { #expect(event.data == "1") }
        }
        #expect(server.requests.count == 2)
        #expect(cache.statistics.stored == 0)
    }

    @Test("stores no partial or broken responses, and none above half of its capacity")
    func incomplete() async throws {
        endpoint.cache = .memory(capacity: 100_000)
        server.route(nil, "/part") { _ in
            .status(206).header("Content-Range", "bytes 0-0/2")
                .header("Cache-Control", "max-age=60")
        }
        server.route(nil, "/big") { _ in
            .text(String(repeating: "x", count: 50_001)).header("Cache-Control", "max-age=60")
        }
        server.route(nil, "/cut") { _ in
            .text("12345").header("Cache-Control", "max-age=60").cutting(afterBodyBytes: 2)
        }
        for path in ["part", "big", "cut"] {
            for _ in 0..<2 {
                _ = await CallStyle.async.outcome(of: CachedText(path: path), on: endpoint)
            }
        }
        #expect(server.requests.count == 6)
        #expect(endpoint.cache?.statistics.stored == 0)
    }

    @Test("serves responses from disk in the next process")
    func disk() async throws {
        let folder = try TemporaryFolder()
        let body = Data(repeating: 7, count: 1 << 20)
        server.route(nil, "/data") { _ in
            .data(body).header("Cache-Control", "max-age=60").header("ETag", "\"a\"")
        }
        let request = DefaultRequest<Data, ServerMessage>(path: "data")
        for outcome in [CacheOutcome.miss, .hit] {
            endpoint.cache = try .disk(folder.url)
            let response = try await endpoint.response(for: request)
            #expect(response.cacheOutcome == outcome)
            #expect(response.value == body)
            endpoint.cache = nil
        }
        endpoint.cache = try .disk(folder.url)
        var streamed = Data()
        for try await piece in try await endpoint.stream(request) { streamed.append(piece) }
        #expect(streamed == body)
        server.route(nil, "/data") { _ in .status(304).header("Cache-Control", "max-age=60") }
        setting.clock.advance(by: .seconds(61))
        #expect(try await endpoint.response(for: request).cacheOutcome == .revalidated)
        #expect(try await endpoint.response(for: request).cacheOutcome == .hit)
        #expect(server.requests.count == 2)
    }

    @Test("stores credentialed responses on disk only on request")
    func credentialsOnDisk() async throws {
        let folder = try TemporaryFolder()
        setting.serve("max-age=60")
        let secret = CachedText(headers: ["X-Api-Key": "k"])
        endpoint.cache = try .disk(folder.url)
        #expect(try await setting.get(secret) == "1 miss")
        #expect(try await setting.get(secret) == "2 miss")
        endpoint.cache = nil
        endpoint.cache = try .disk(folder.url, storesCredentialedResponses: true)
        #expect(try await setting.get(secret) == "3 miss")
        #expect(try await setting.get(secret) == "3 hit")
        #expect(try await setting.get() == "4 miss")
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            let bytes = try Data(contentsOf: folder.url.appendingPathComponent(file))
            #expect(bytes.range(of: Data("X-Api-Key".utf8)) == nil)
        }
    }
}
