import Foundation
import NetKit
import NetKitCache
import NetKitTesting
import Testing

/// A text that says how it uses the cache.
private final class TextRequest: Request {
    typealias ResponseObjectType = String
    let path = "text"
    let cachePolicy: CachePolicy
    init(_ cachePolicy: CachePolicy) { self.cachePolicy = cachePolicy }
}

@Suite("Public interface of the cache", .timeLimit(.minutes(15)))
struct CacheContractTests {
    private let server: MockServer
    private let endpoint: Endpoint
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "netkit-\(UUID())")

    init() throws {
        server = try MockServer()
        endpoint = Endpoint(baseURL: server.baseURL, retryingCount: 0)
        server.route("GET", "/text") { request in
            let isCurrent = request.header("If-None-Match") == "\"1\""
            return (isCurrent ? MockResponse.status(304) : .text("stored"))
                .header("ETag", "\"1\"").header("Cache-Control", "max-age=3600")
        }
    }

    private func outcome(_ policy: CachePolicy, on other: Endpoint? = nil) async throws -> String {
        let response: Response<String> = try await (other ?? endpoint)
            .response(for: TextRequest(policy))
        let outcome: CacheOutcome = response.cacheOutcome
        switch outcome {
        case .none: return "none"
        case .miss: return "miss"
        case .hit: return "hit"
        case .revalidated: return "revalidated"
        case .stale: return "stale"
        }
    }

    @Test("is nil unless an endpoint is given one")
    func none() async throws {
        let before: HTTPCache? = endpoint.cache
        #expect(before == nil)
        #expect(try await outcome(.standard) == "none")
        endpoint.cache = .memory()
        #expect(try await outcome(.standard) == "miss")
        endpoint.cache = nil
        #expect(try await outcome(.standard) == "none")
    }

    @Test("follows the request's cache policy")
    func policies() async throws {
        func name(_ policy: CachePolicy) -> String {
            switch policy {
            case .standard: "standard"
            case .reload: "reload"
            case .revalidate: "revalidate"
            case .onlyIfCached: "onlyIfCached"
            case .noStore: "noStore"
            }
        }
        let unsaid = DefaultRequest<String, ServerMessage>(path: "text").cachePolicy
        #expect(name(unsaid) == "standard")
        #expect(Set<CachePolicy>([.standard, .reload, unsaid]).count == 2)
        endpoint.cache = .memory(capacity: 1 << 20)
        let status = await { () async -> Int? in
            do throws(ErrorResponse<ServerMessage>) {
                _ = try await endpoint.value(for: TextRequest(.onlyIfCached))
                return nil
            } catch {
                return error.statusCode
            }
        }()
        #expect(status == 504 && server.requests.isEmpty)
        let expected: [(CachePolicy, String)] = [
            (.noStore, "none"), (.standard, "miss"), (.standard, "hit"), (.onlyIfCached, "hit"),
            (.revalidate, "revalidated"), (.reload, "miss"), (.noStore, "none"),
        ]
        for (policy, outcome) in expected {
            #expect(try await self.outcome(policy) == outcome, "\(name(policy))")
        }
        #expect(server.requests.count == 5)
    }

    @Test("reports its statistics and removes entries")
    func statistics() async throws {
        let make: (Int) -> HTTPCache = HTTPCache.memory(capacity:)
        let cache: HTTPCache = make(1 << 20)
        endpoint.cache = cache
        for policy in [CachePolicy.standard, .standard, .revalidate] {
            _ = try await outcome(policy)
        }
        let statistics: HTTPCache.Statistics = cache.statistics
        let counts: [Int] = [
            statistics.hits, statistics.revalidations, statistics.misses, statistics.stored,
            statistics.evictions,
        ]
        let bytes: Int = statistics.bytes
        #expect(counts == [1, 1, 1, 1, 0] && bytes > 0)
        #expect(Set([statistics, cache.statistics]).count == 1)
        cache.remove(server.url("/text"))
        #expect(cache.statistics.bytes == 0)
        #expect(try await outcome(.standard) == "miss")
        cache.removeAll()
        #expect(cache.statistics.bytes == 0 && cache.statistics != statistics)
        #expect(try await outcome(.standard) == "miss")
    }

    @Test("persists in a folder for the next cache")
    func folders() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let open: (URL, Int, Bool) throws -> HTTPCache =
            HTTPCache.disk(_:capacity:storesCredentialedResponses:)
        endpoint.cache = try .disk(folder)
        #expect(try await outcome(.standard) == "miss")
        let other = endpoint.derived { _ in }
        #expect(other.cache === endpoint.cache)
        other.cache = try .disk(folder, capacity: 1 << 20)
        #expect(try await outcome(.standard, on: other) == "hit")
        other.headers.authToken = .bearer("of one user")
        for expected in ["miss", "miss"] {
            #expect(try await outcome(.standard, on: other) == expected)
        }
        other.cache = try open(folder, 1 << 20, true)
        for expected in ["miss", "hit"] {
            #expect(try await outcome(.standard, on: other) == expected)
        }
        #expect(server.requests.count == 4)
    }

    @Test("reports an unusable folder with its reason")
    func refusal() throws {
        try Data().write(to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        let error = try #require(
            #expect(throws: CacheFolderError.self) { try HTTPCache.disk(folder) }
        )
        let (path, code): (String, Int32) = (error.path, error.code)
        #expect(path == folder.path && code == ENOTDIR)
        let general: any CallError = error
        #expect(general.message.contains(path) && !general.isTransient)
    }
}
