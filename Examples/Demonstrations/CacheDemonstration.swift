import Foundation
import NetKit
import NetKitCache
import NetKitTesting

/// A list that is cached, revalidated, and restored after a restart.
struct CacheDemonstration: Demonstration {
    let name = "cache"
    let summary = "cache a list on disk, revalidate it, and restore it after a restart"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        publish(["Rain until noon", "Sun tomorrow"], as: "\"v1\"", on: server)
    }

    private func publish(_ headlines: [String], as tag: String, on server: MockServer) {
        server.route("GET", "/headlines") { request in
            let isCurrent = request.header("If-None-Match") == tag
            return (isCurrent ? MockResponse.status(304) : try .json(headlines))
                .header("ETag", tag)
                .header("Cache-Control", "max-age=3600")
        }
    }

    func run(_ context: Context) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("netkit-example-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let list = HeadlinesRequest()
        let refreshed = HeadlinesRequest(refreshing: true)

        let first = context.endpoint.derived { _ in }
        first.cache = try .disk(folder)
        let code = "HeadlinesRequest().execute(on: endpoint)"
        try await show(list, code, on: first, is: .miss, in: context)
        try await show(list, "the same call again", on: first, is: .hit, in: context)
        let refreshing = "HeadlinesRequest(refreshing: true).execute(on: endpoint)"
        try await show(refreshed, refreshing, on: first, is: .revalidated, in: context)
        try publish(["Sun, all day"], as: "\"v2\"", on: context.ownServer())
        try await show(refreshed, "the same call, newer list", on: first, is: .miss, in: context)
        first.cache = nil

        // Like a restart: another endpoint, and a new cache of the same folder.
        let second = context.endpoint.derived { _ in }
        let cache = try HTTPCache.disk(folder)
        second.cache = cache
        try await show(list, "\(code)    // restarted", on: second, is: .hit, in: context)
        let statistics = cache.statistics
        context.cameBack(
            "\(statistics.hits) hit, \(statistics.misses) misses, \(statistics.bytes) bytes"
        )
        try context.expect(
            statistics.hits == 1 && statistics.misses == 0 && statistics.bytes > 0,
            "the list came from disk, without a request"
        )
    }

    /// Fetches the list, and prints the cache's part in it.
    private func show(
        _ request: HeadlinesRequest,
        _ code: String,
        on endpoint: Endpoint,
        is expected: CacheOutcome,
        in context: Context
    ) async throws {
        context.asked(code)
        let response = try await request.execute(on: endpoint).response
        let (headlines, outcome) = (response.value.joined(separator: ", "), response.cacheOutcome)
        context.cameBack("\(headlines) (\(outcome), requests sent: \(response.attempts))")
        try context.expect(
            outcome == expected && response.attempts == (expected == .hit ? 0 : 1),
            expected.rule
        )
    }
}

extension CacheOutcome {
    /// The rule that a demonstration prints.
    fileprivate var rule: String {
        switch self {
        case .none: "the call bypassed the cache"
        case .miss: "the server sent the list"
        case .hit: "the stored list was fresh, and no request was sent"
        case .revalidated: "the server responded with 304, and the stored list was used"
        case .stale: "a stale list was used"
        }
    }
}
