import Foundation
import NetKit
import NetKitCache
import NetKitTesting
import Testing

@Suite("nginx", .needs(.nginx), .timeLimit(.minutes(10)))
struct NginxTests {
    @Test("serves ranges of a file", arguments: Engine.allCases)
    func ranges(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.nginx)
        let whole = try await endpoint.value(for: LargeFileRequest())
        #expect(whole.count == 3_000_000)
        for (range, bytes, answer) in [
            ("bytes=0-9", 0..<10, "bytes 0-9/3000000"),
            ("bytes=2999990-", 2_999_990..<3_000_000, "bytes 2999990-2999999/3000000"),
            ("bytes=-5", 2_999_995..<3_000_000, "bytes 2999995-2999999/3000000"),
        ] {
            let response = try await endpoint.response(for: RangeRequest(range))
            #expect(response.http.status == 206)
            #expect(response.http.headers["Content-Range"] == answer)
            #expect(response.value == whole[bytes])
        }
        let several = try await endpoint.response(for: RangeRequest("bytes=0-0,10-10"))
        #expect(several.http.headers.contentType?.type == "multipart")
        #expect(several.http.headers.contentType?.subtype == "byteranges")
        let error = try await failure(of: RangeRequest("bytes=3000000-"), on: endpoint)
        #expect(error.statusCode == 416)
        #expect(error.response?.headers["Content-Range"] == "bytes */3000000")
    }

    @Test("resumes an interrupted download", arguments: Engine.allCases)
    func resumedDownload(engine: Engine) async throws {
        let (endpoint, faults) = try engine.faultyEndpoint(.nginx)
        let whole = try await endpoint.value(for: LargeFileRequest())
        let folder = try TemporaryFolder()
        let digest = ContentDigest.sha256(sha256(whole)) { sha256(try Data(contentsOf: $0)) }
        let download = LargeFileRequest().download(to: folder.file("large"), checking: digest)
        faults.script(.cut(afterBodyBytes: 1_000_000))
        endpoint.retryPolicy = .never
        let error = try await failure(of: download, on: endpoint)
        #expect(error.transportKind == .truncatedResponse)
        let response = try await endpoint.response(for: download)
        #expect(response.http.status == 206)
        #expect(response.http.headers["Content-Range"] == "bytes 1000000-2999999/3000000")
        #expect(try Data(contentsOf: response.value) == whole)
    }

    @Test("handles conditional requests", arguments: Engine.allCases)
    func conditions(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.nginx)
        let first = try await endpoint.response(for: HelloRequest())
        let tag = try #require(first.http.headers[.eTag])
        let date = try #require(first.http.headers[.lastModified])
        for headers: HTTPHeaders in [[.ifNoneMatch: tag], [.ifModifiedSince: date]] {
            let error = try await failure(of: HelloRequest(headers: headers), on: endpoint)
            #expect(error.statusCode == 304)
        }
        let other = HelloRequest(headers: [.ifMatch: "\"other\""])
        #expect(try await failure(of: other, on: endpoint).statusCode == 412)
        let same = try await endpoint.response(for: HelloRequest(headers: [.ifMatch: tag]))
        #expect(same.value == Hello(hello: "world"))
    }

    @Test("validates a cached response", arguments: Engine.allCases)
    func cache(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.nginx)
        endpoint.cache = .memory()
        let first = try await endpoint.response(for: HelloRequest())
        #expect(first.cacheOutcome == .miss)
        let second = try await endpoint.response(for: HelloRequest(cachePolicy: .revalidate))
        #expect(second.cacheOutcome == .revalidated)
        #expect(second.value == first.value)
    }

    @Test("compresses, and the value is the text", arguments: Engine.allCases)
    func compression(engine: Engine) async throws {
        let text = try await engine.endpoint(.nginx).value(for: LinesRequest())
        let lines = text.split(separator: "\n")
        #expect(lines.count == 20_000)
        #expect(lines.last == "line 19999 of a text that compresses well")
    }

    @Test("redirects", arguments: Engine.allCases)
    func redirects(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.nginx)
        let hello = #"{"hello":"world"}"#
        let moved = try await endpoint.response(for: MovedRequest(path: "gone"))
        #expect(moved.value == hello)
        #expect(moved.http.url.path == "/hello.json")
        let posted = MovedRequest(path: "see-other", method: .post, body: .string("hello"))
        #expect(try await endpoint.value(for: posted) == hello)
        let again = MovedRequest(path: "again", method: .put, body: .string("hello"))
        #expect(try await endpoint.value(for: again) == "PUT 5")
        let error = try await failure(of: MovedRequest(path: "loop"), on: endpoint)
        #expect(error.transportKind == .tooManyRedirects)
        endpoint.redirectPolicy = .doNotFollow
        #expect(try await failure(of: MovedRequest(path: "gone"), on: endpoint).statusCode == 301)
    }

    @Test("rejects an upload before it is complete", arguments: Engine.allCases)
    func earlyAnswer(engine: Engine) async throws {
        let error = try await failure(
            of: TooLargeUpload(bytes: 16 << 20),
            on: engine.endpoint(.nginx)
        )
        #expect(error.statusCode == 413)
        #expect(error.message.contains("413 Request Entity Too Large"))
    }

    @Test("rejects requests with the server's own message", arguments: Engine.allCases)
    func refusals(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.nginx)
        for (request, status, message) in [
            (RefusedRequest(path: "forbidden"), 403, "403 Forbidden"),
            (RefusedRequest(path: "nowhere"), 404, "404 Not Found"),
            (RefusedRequest(path: "hello.json", method: .delete), 405, "405 Not Allowed"),
            (RefusedRequest(path: "teapot"), 418, "short and stout"),
        ] {
            let error = try await failure(of: request, on: endpoint)
            #expect(error.statusCode == status)
            #expect(error.message.contains(message))
        }
        let dropped = try await failure(of: RefusedRequest(path: "dropped"), on: endpoint)
        #expect(dropped.transportKind == .connectionLost)
    }

    @Test("requires Basic credentials", arguments: Engine.allCases)
    func basic(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.nginx)
        let error = try await failure(of: ProtectedRequest(), on: endpoint)
        #expect(error.statusCode == 401)
        #expect(error.response?.headers[.wwwAuthenticate] == "Basic realm=\"NetKit\"")
        endpoint.authentication = BasicAuthentication(username: "reader", password: "open sesame")
        #expect(try await endpoint.value(for: ProtectedRequest()) == Hello(hello: "world"))
    }

    @Test("responds to HEAD with header fields only", arguments: Engine.allCases)
    func head(engine: Engine) async throws {
        let response = try await engine.endpoint(.nginx).response(for: HelloHeadRequest())
        #expect(response.http.headers.contentType == .json)
        #expect(response.http.body.isEmpty)
    }
}
