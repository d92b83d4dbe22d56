import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Runs the interceptors of one scope: the endpoint's, then the request's own.
struct InterceptorsLayer: Layer {
    let scope: InterceptorScope
    /// The interceptors of this scope: the endpoint's, then the request's own.
    let interceptors: [any Interceptor]
    /// The endpoint's own origin, or nil if its base URL has none.
    let home: Origin?

    /// Creates the layer of one scope, or returns nil if it has no interceptors.
    init?(_ scope: InterceptorScope, of interceptors: [any Interceptor], home: Origin?) {
        self.scope = scope
        self.interceptors = interceptors.filter { $0.scope == scope }
        self.home = home
        if self.interceptors.isEmpty { return nil }
    }

    func send(
        _ request: EncodedRequest,
        in call: CallContext,
        next: NextLayers
    ) async -> AttemptResult {
        let last = Locked<AttemptResult?>(nil)
        var context = call.plan.context
        context.attempt = call.attempt
        context.pathTemplate = request.pathTemplate
        context.clock = call.clock
        let outcome = await RequestContext.$ofTask.withValue(context) {
            await call.run {
                try await pass(request, through: interceptors[...]) { request in
                    let result = await next.send(request, in: call)
                    last.withLock { $0 = result }
                    return result
                }
            }
        }
        let sent = last.withLock { $0 }
        switch outcome {
        case .success(let response):
            var result = sent ?? AttemptResult(request, .response(response))
            // A 504 for `onlyIfCached` is final, unless an interceptor replaced the response.
            let isFinal = result.isFinal && sent?.response?.status == response.status
            result.change { ($0.outcome, $0.isFinal) = (.response(response), isFinal) }
            return await deliver(result, in: call)
        case .failure(let failure):
            var result = sent ?? AttemptResult(request, failure: failure)
            if sent == nil, scope == .call {
                // The layers below have not returned yet.
                result.change { $0.history = call.control.history }
            }
            result.fail(failure)
            return result
        }
    }

    private func pass(
        _ request: EncodedRequest,
        through interceptors: ArraySlice<any Interceptor>,
        to send: @escaping @Sendable (EncodedRequest) async -> AttemptResult
    ) async throws -> HTTPResponse {
        guard let interceptor = interceptors.first else {
            switch await send(request).outcome {
            case .response(let response): return response
            case .failure(let failure): throw ErrorResponse<ServerMessage>(failure)
            }
        }
        let rest = interceptors.dropFirst()
        if let fields = interceptor as? DefaultFields {
            let isHome = home != nil && request.origin == home
            let added = try await fields.added(to: request, isHome: isHome)
            return try await pass(added, through: rest, to: send)
        }
        return try await interceptor.intercept(request.urlRequest) { changed in
            let changed = try request.changed(to: changed)
            // The request already has its credential, which must not be sent to another origin.
            guard scope != .exchange || changed.origin == request.origin else {
                throw InvalidRequest(
                    .invalidURL("\(RedactedURL(changed.url))"),
                    "an interceptor of scope .exchange can't change the origin"
                )
            }
            return try await pass(changed, through: rest, to: send)
        }
    }

    /// Passes the body of an interceptor's own response to the call's file or reader.
    private func deliver(_ result: AttemptResult, in call: CallContext) async -> AttemptResult {
        // A body with a streamed length was already passed on.
        guard let response = result.response, response.status.isSuccessful,
            result.streamedLength == nil
        else { return result }
        let head = response.head
        let delivered = await call.run { () -> Bool in
            if let sink = call.sink?() { return try sink.take(head, response.body) }
            switch call.plan.destination {
            case .memory: return false
            case .channel(let channel): return try channel.take(head, response.body)
            case .file(let download):
                let sink = download.sink(for: nil)
                let isTaken = try sink.take(head, response.body)
                _ = try await download.finish(head, sink, nil)
                return isTaken
            }
        }
        var result = result
        switch delivered {
        case .success(false): break
        case .success(true):
            result.change { $0.streamedLength = Int64(response.body.count) }
        case .failure(let failure): result.fail(failure)
        }
        return result
    }
}

extension BodySink {
    /// Takes a complete response from memory.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - body: The body of the response.
    /// - Returns: Whether the sink took the body.
    /// - Throws: An error of the sink.
    fileprivate func take(_ head: ResponseHead, _ body: Data) throws -> Bool {
        do {
            let isTaken = try begin(head) != nil
            if isTaken, !body.isEmpty { try write(body, beyondLimit: true) }
            try end()
            return isTaken
        } catch {
            abandon()
            throw error
        }
    }
}

extension EncodedRequest {
    /// Applies and validates an interceptor's changes to the request.
    fileprivate func changed(to request: URLRequest) throws(InvalidRequest) -> EncodedRequest {
        var changed = self
        if let url = request.url, url != self.url {
            guard Origin(url) != nil else {
                throw InvalidRequest(url: url)
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
    /// Applies an interceptor's changes.
    ///
    /// Unchanged fields keep their position and sensitivity.
    fileprivate func changed(to fields: [String: String]) throws(InvalidRequest) -> HTTPHeaders {
        var changed = self
        var names: Set<HTTPHeaderName> = []
        for (name, value) in fields.sortedByName {
            let name = HTTPHeaderName(name)
            // The transport sets the length of the body itself.
            guard name != .contentLength, name != .transferEncoding else { continue }
            names.insert(name)
            if changed[name] != value { changed[name] = value }
        }
        for (name, _) in self where !names.contains(name) { changed.remove(name) }
        try HeaderRules.check(&changed)
        return changed
    }
}
