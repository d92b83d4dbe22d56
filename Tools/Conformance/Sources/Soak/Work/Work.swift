import NetKitCache
import NetKitCookies
import NetKitPaging

/// The kinds of operations.
enum Work: String, CaseIterable, Sendable {
    case call, batch, coalesced, upload, download, lines, events, refresh, redirect
    case crossOrigin, cache, cookies, retryAfter, deadline, pages, poll, endpoint

    var title: String {
        switch self {
        case .call: "calls"
        case .batch: "batches"
        case .coalesced: "coalesced calls"
        case .upload: "uploads"
        case .download: "downloads, resumed"
        case .lines: "streams of lines"
        case .events: "event sources"
        case .refresh: "calls with a token that ends"
        case .redirect: "redirects"
        case .crossOrigin: "redirects to another origin"
        case .cache: "cached calls"
        case .cookies: "cookies"
        case .retryAfter: "429 and 503 with Retry-After"
        case .deadline: "deadlines"
        case .pages: "pages"
        case .poll: "polling"
        case .endpoint: "endpoints and transports, shut down"
        }
    }

    /// The relative number of operations.
    ///
    /// Kinds that only wait are rare.
    private var weight: Int {
        switch self {
        case .call: 24
        case .cache: 16
        case .upload, .refresh: 10
        case .download, .lines: 8
        case .redirect, .cookies: 6
        case .events: 4
        case .pages, .coalesced, .batch, .deadline: 3
        case .crossOrigin, .poll: 2
        case .retryAfter, .endpoint: 1
        }
    }

    static func random(using random: inout SeededGenerator) -> Work {
        var left = Int.random(in: 0..<allCases.reduce(0) { $0 + $1.weight }, using: &random)
        for work in allCases {
            left -= work.weight
            if left < 0 { return work }
        }
        return .call
    }

    /// Runs one operation.
    func run(_ turn: Turn) async -> Verdict {
        switch self {
        case .call: await turn.call()
        case .batch: await turn.batch()
        case .coalesced: await turn.coalesced()
        case .upload: await turn.upload()
        case .download: await turn.download()
        case .lines: await turn.lines()
        case .events: await turn.events()
        case .refresh: await turn.refresh()
        case .redirect: await turn.redirect()
        case .crossOrigin: await turn.crossOrigin()
        case .cache: await turn.cached()
        case .cookies: await turn.cookies()
        case .retryAfter: await turn.retryAfter()
        case .deadline: await turn.deadline()
        case .pages: await turn.pages()
        case .poll: await turn.poll()
        case .endpoint: await turn.endpoint()
        }
    }
}
