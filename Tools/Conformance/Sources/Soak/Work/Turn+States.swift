import Foundation
import NetKit
import NetKitCookies

// Work with credentials, redirects, cookies and caches.
extension Turn {
    /// The token ends every 40 calls, and one refresh serves all.
    func refresh() async -> Verdict {
        let request = request("secret/\(number)", as: Numbered.self)
        return verdict(await outcome(of: request, on: client.secured)) { $0 == Numbered(number) }
    }

    /// One to four redirects, with a body as well.
    func redirect() async -> Verdict {
        var random = random
        let hops = Int.random(in: 1...4, using: &random)
        let hasBody = random.happens(0.3)
        let statuses = hasBody ? [307, 308] : [301, 302, 303, 307, 308]
        let status = statuses.randomElement(using: &random) ?? 307
        let path = "redirect/\(hops)/\(number)"
        let query = [("status", "\(status)")]
        guard hasBody else {
            let request = request(path, as: Numbered.self, query: query)
            return verdict(await outcome(of: request, on: client.plain)) { $0 == Numbered(number) }
        }
        let content = Content.bytes(number, count: Int.random(in: 1...40_000, using: &random))
        var request = request(path, as: Receipt.self, query: query)
        (request.method, request.body) = (.put, .raw(content))
        let expected = Receipt(number: number, length: content.count, isIntact: true)
        return verdict(await outcome(of: request, on: client.plain)) { $0 == expected }
    }

    /// The other origin must not receive the token.
    func crossOrigin() async -> Verdict {
        let request = request("away/\(number)", as: Numbered.self)
        return verdict(await outcome(of: request, on: client.secured)) {
            $0.number == number && $0.text == "none"
        }
    }

    /// The cache answers for the key and the language that were asked for, and not too late.
    func cached() async -> Verdict {
        var random = random
        let key = Int.random(in: 0..<80, using: &random)
        let language = ["en", "de", "fr"].randomElement(using: &random) ?? "en"
        var request = request("cached/\(key)", as: Versioned.self)
        request.headers[.acceptLanguage] = language
        let policies: [CachePolicy] = [
            .standard, .standard, .standard, .revalidate, .reload, .noStore,
        ]
        request.cachePolicy = policies.randomElement(using: &random) ?? .standard
        let endpoint = client.caches[random.happens(0.5) ? 0 : 1]
        // Fresh for a second, so an answer may be one version old. One more for a slow exchange.
        let oldest = Content.version() - 2
        switch await outcome(of: request, on: endpoint) {
        case .success(let value):
            // A stored response avoids the fault.
            let isRight =
                value.key == key && value.language == language && value.version >= oldest
                && value.text == Content.text(key)
            return isRight
                ? .value : .wrong("key \(key), \(language), at least \(oldest): \(value)")
        case .failure(let error): return verdict(of: error)
        }
    }

    /// Sets or removes the worker's cookie, then looks at it.
    func cookies() async -> Verdict {
        let name = "\(client.engine.rawValue)-\(worker)"
        let value = number.isMultiple(of: 5) ? 0 : number
        let change = request("cookie/\(name)/\(value)", as: Numbered.self)
        let changed = verdict(await outcome(of: change, on: client.cookies)) {
            $0 == Numbered(value)
        }
        // An answer that failed or was cancelled may have changed it or not.
        guard changed == .value else { return changed }
        let look = DefaultRequest<[String: String], ServerMessage>(path: "cookies")
        do {
            let found = try await client.cookies.value(for: look)[name]
            return found == (value == 0 ? nil : "\(value)")
                ? .value : .wrong("the cookie is \(found ?? "gone"), not \(value)")
        } catch {
            return .wrong("\(error)")
        }
    }

    /// An endpoint with its own transport, which is shut down with calls in flight.
    func endpoint() async -> Verdict {
        let transport = client.engine.makeTransport()
        let endpoint = Client.endpoint(
            client.baseURL,
            client.engine,
            over: transport,
            calls: calls
        )
        if plant == .openTransport { Planted.keep(transport) }
        let request = DefaultRequest<Numbered, ServerMessage>(path: "value/\(number)")
        let silent = DefaultRequest<Numbered, ServerMessage>(path: "silent/\(number)")
        let (value, stopped) = (
            Task { await outcome(of: request, on: endpoint) },
            Task { try await endpoint.value(for: silent) }
        )
        // Before, during or after the first call. This task isn't cancelled.
        var random = random
        try? await Task.sleep(for: .milliseconds(Int.random(in: 0...20, using: &random)))
        await endpoint.shutdown(deadline: .milliseconds(50))
        if plant != .openTransport { await Engine.shutDown(transport) }
        if case .success(let value) = await stopped.result {
            return .wrong("\(value) from a silent server")
        }
        switch await value.value {
        case .success(let value): return value == Numbered(number) ? .value : .wrong("\(value)")
        case .failure(.cancelled), .failure(.invalidRequest): return .cancelled
        case .failure(let error): return .wrong("\(error)")
        }
    }
}
