import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One attempt with its interceptors around it.
struct InterceptorChain: Sendable {
    let interceptors: [any Interceptor]
    let context: RequestContext
    let exchange: Exchange

    /// Sends `request` through the interceptors.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - attempt: Which attempt it is.
    /// - Returns: The request that was sent last, and how it ended.
    func send(_ request: EncodedRequest, attempt: Int) async -> SentRequest {
        let exchange = exchange.of(attempt: attempt)
        guard !interceptors.isEmpty else { return await exchange.send(request) }
        let last = Locked<SentRequest?>(nil)
        var context = context
        context.attempt = attempt
        let result = await RequestContext.$ofTask.withValue(context) {
            await UserCode.run(exchange.control) {
                try await run(request, from: 0) { request in
                    let sent = await exchange.send(request)
                    last.withLock { $0 = sent }
                    return AttemptRecord.Ending(sent.outcome, of: sent.request)
                }
            }
        }
        let outcome: AttemptOutcome =
            switch result {
            case .success(let response): .answered(response)
            case .failure(.transport(let error)): .failed(error)
            case .failure(.timeout(.idle)): .idleTimeout
            case .failure(let failure): .refused(failure)
            }
        var sent = last.withLock { $0 } ?? SentRequest(request: request, outcome: outcome)
        sent.outcome = outcome
        return sent
    }

    /// Whether a request goes to the endpoint's own origin.
    private func isHome(_ request: EncodedRequest) -> Bool {
        guard case .success(let base) = exchange.endpoint.settings.values.encoding.base else {
            return false
        }
        return request.origin == base.origin
    }

    private func run(
        _ request: EncodedRequest,
        from index: Int,
        sending send: @escaping @Sendable (EncodedRequest) async -> AttemptRecord.Ending
    ) async throws -> HTTPResponse {
        guard index < interceptors.count else {
            switch await send(request) {
            case .response(let response): return response
            case .failed(let failure): throw ErrorResponse<ServerMessage>(failure)
            }
        }
        if let fields = interceptors[index] as? DefaultFields {
            let added = try await fields.added(to: request, isHome: isHome(request))
            return try await run(added, from: index + 1, sending: send)
        }
        return try await interceptors[index]
            .intercept(request.urlRequest) { changed in
                let changed = try request.changed(to: changed)
                return try await run(changed, from: index + 1, sending: send)
            }
    }
}

extension EncodedRequest {
    /// The request as an interceptor left it, checked as any other.
    fileprivate func changed(to request: URLRequest) throws(InvalidRequest) -> EncodedRequest {
        var changed = self
        if let url = request.url, url != self.url {
            guard Origin(url) != nil else {
                throw InvalidRequest(.invalidURL("\(RedactedURL(url))"))
            }
            changed.url = url.withLowercasedScheme
        }
        let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        guard method.isValidToken else { throw InvalidRequest(.invalidMethod(method.rawValue)) }
        if method != self.method { changed.method = method }
        changed.headers = try headers.changed(to: request.allHTTPHeaderFields ?? [:])
        if let data = request.httpBody {
            if data != body?.data { changed.body = BodySource(data) }
        } else if body?.data != nil {
            changed.body = nil
        }
        return changed
    }
}

extension HTTPHeaders {
    /// These fields as an interceptor left them: those that it did not touch keep place and mark.
    fileprivate func changed(to fields: [String: String]) throws(InvalidRequest) -> HTTPHeaders {
        var changed = self
        var names: Set<HTTPHeaderName> = []
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            let name = HTTPHeaderName(name)
            // The transport says itself how long the body is.
            guard name != .contentLength, name != .transferEncoding else { continue }
            names.insert(name)
            if changed[name] != value { changed[name] = value }
        }
        for (name, _) in self where !names.contains(name) { changed.remove(name) }
        try HeaderRules.check(&changed)
        return changed
    }
}
