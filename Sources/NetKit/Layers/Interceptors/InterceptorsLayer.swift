import Foundation
import NetKitSupport

/// Runs the interceptors of one scope: the endpoint's, then the request's own.
struct InterceptorsLayer: Layer {
    let scope: InterceptorScope
    /// The interceptors of this scope: the endpoint's, then the request's own.
    let interceptors: [any Interceptor]
    /// The endpoint's own origin, or nil if its base URL has none.
    let home: Origin?
    let next: any Layer

    /// Creates the layer of one scope, or returns nil if it has no interceptors.
    init?(
        _ scope: InterceptorScope,
        of interceptors: [any Interceptor],
        home: Origin?,
        next: any Layer
    ) {
        self.scope = scope
        self.interceptors = interceptors.filter { $0.scope == scope }
        self.home = home
        self.next = next
        if self.interceptors.isEmpty { return nil }
    }

    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        let sends = Locked(Sends())
        var context = call.plan.context
        context.attempt = call.attempt
        context.requestType = call.plan.requestType
        context.pathTemplate = request.pathTemplate
        (context.home, context.clock) = (home, call.clock)
        context.isOnlyIfCached = call.plan.cachePolicy == .onlyIfCached
        let outcome = await RequestContext.$ofTask.withValue(context) {
            await call.control.run {
                try await pass(request, through: interceptors[...]) { request in
                    if scope == .call, let earlier = sends.withLock({ $0.sentAgain() }) {
                        call.control.noteSentAgain()
                        // The operation hears of the earlier attempt, as it does before a retry.
                        if !earlier.isDebugged { call.plan.onAttempt?(earlier) }
                    }
                    return await call.control.branch { control in
                        if sends.withLock({ $0.begin(control) }) { control.stop(.cancelled) }
                        var part = call
                        part.control = control
                        let result = await next.send(request, in: part)
                        sends.withLock { $0.note(result, of: control) }?.resume()
                        return result
                    }
                }
            }
        }
        // What the interceptors leave behind ends with them.
        let left = sends.withLock { $0.end() }
        for control in left { control.stop(call.control.stopped ?? .cancelled) }
        if !left.isEmpty { await settle(sends) }
        let sent = sends.withLock { $0 }
        switch outcome {
        case .success(let response):
            var result = sent.answered ?? sent.last ?? AttemptResult(request, .response(response))
            let isReplaced = result.response?.status != response.status
            result.change { parts in
                parts.outcome = .response(response)
                // A 504 for `onlyIfCached` is final, and a stale response may replace a failure: not what an interceptor
                // made of them.
                if isReplaced { (parts.isFinal, parts.fallback) = (false, nil) }
                parts.streamedLength = sent.streamedLength
                guard let last = sent.last else { return }
                (parts.sentAttempts, parts.isSent) = (last.sentAttempts, last.isSent)
                // Of two attempts at once, the last one to be noted needn't be the last to end.
                parts.history = scope == .call ? call.control.history : last.history
                // The last one is none if it was stopped before it was sent.
                guard parts.isDebugged, !last.isDebugged,
                    last.history.last?.number == last.attempt
                else { return }
                call.plan.onAttempt?(last)
                parts.attempt = last.attempt
            }
            return await deliver(result, in: call)
        case .failure(let failure):
            var result = sent.last ?? AttemptResult(request, failure: failure)
            result.change { parts in
                // The error of an interceptor that rejects a response.
                if case .response = parts.outcome { parts.fallback = nil }
                if case .interceptor = failure { parts.head = nil }
                parts.outcome = .failure(failure.of(parts.request))
            }
            return result
        }
    }

    /// Waits for what is still under way, which a stop ends at once, so that it is reported.
    @inline(never)
    private func settle(_ sends: Locked<Sends>) async {
        await withCheckedContinuation { continuation in
            let isSettled = sends.withLock { sends in
                guard !sends.underWay.isEmpty else { return true }
                sends.onSettled = continuation
                return false
            }
            if isSettled { continuation.resume() }
        }
    }

    /// What the interceptors have sent through the layers below.
    private struct Sends {
        /// The requests without a result.
        private(set) var underWay: [CallControl] = []
        /// Whether the interceptors have returned, or the call was stopped.
        private var isOver = false
        /// Waits until there is none.
        var onSettled: CheckedContinuation<Void, Never>?
        /// The last result, with what all of them sent.
        var last: AttemptResult?
        /// The last result with a response.
        ///
        /// Of two requests that race, the other one fails later.
        var answered: AttemptResult?
        /// The length of the body that went to a file or a reader.
        ///
        /// It is that of the last response that succeeded, whatever was sent after it.
        var streamedLength: Int64?

        /// Notes a request, and returns whether it comes too late.
        mutating func begin(_ control: CallControl) -> Bool {
            underWay.append(control)
            return isOver
        }

        /// Ends the interceptors, and returns the requests that have no result.
        mutating func end() -> [CallControl] {
            isOver = true
            return underWay
        }

        /// Returns the last result, which debug handlers receive before another request.
        mutating func sentAgain() -> AttemptResult? {
            guard let earlier = last else { return nil }
            last?.change { $0.isDebugged = true }
            if answered?.attempt == earlier.attempt { answered?.change { $0.isDebugged = true } }
            return earlier
        }

        /// Notes a result, and adds what the earlier ones sent to it.
        ///
        /// - Returns: What waits for this result, the last one under way.
        mutating func note(
            _ result: AttemptResult,
            of control: CallControl
        ) -> CheckedContinuation<Void, Never>? {
            var result = result
            if let last {
                result.change { parts in
                    parts.sentAttempts += last.sentAttempts
                    parts.isSent = parts.isSent || last.isSent
                }
            }
            if result.response != nil { answered = result }
            if result.response?.status.isSuccessful == true {
                streamedLength = result.streamedLength
            }
            last = result
            underWay.removeAll { $0 === control }
            guard underWay.isEmpty else { return nil }
            defer { onSettled = nil }
            return onSettled
        }
    }

    private func pass(
        _ request: EncodedRequest,
        through interceptors: ArraySlice<any Interceptor>,
        notingIn notes: [Locked<SendNote>] = [],
        to send: @escaping @Sendable (EncodedRequest) async -> AttemptResult
    ) async throws -> HTTPResponse {
        guard let interceptor = interceptors.first else {
            let result = await send(request)
            for note in notes { note.withLock { $0.note(result, of: request) } }
            switch result.outcome {
            case .response(let response): return response
            case .failure(let failure): throw ErrorResponse<ServerMessage>(failure)
            }
        }
        let rest = interceptors.dropFirst()
        let next = InterceptorNext { other, note in
            let checked: EncodedRequest
            do throws(InvalidRequest) {
                checked = try request.replaced(by: other, in: scope)
            } catch {
                throw ErrorResponse<ServerMessage>.invalidRequest(error)
            }
            let all = note.map { notes + [$0] } ?? notes
            return try await pass(checked, through: rest, notingIn: all, to: send)
        }
        return try await interceptor.intercept(request, next: next)
    }

    /// Passes the body of an interceptor's own response to the call's file or reader.
    private func deliver(_ result: AttemptResult, in call: CallContext) async -> AttemptResult {
        guard let response = result.response, response.status.isSuccessful else { return result }
        var result = result
        // The response's own body was already passed on.
        if result.streamedLength != nil {
            if !response.body.isEmpty { result.fail(.interceptor(ReplacedBody())) }
            return result
        }
        let head = response.head
        let delivered = await call.control.run { () -> Bool in
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
        switch delivered {
        case .success(false): break
        case .success(true):
            result.change { $0.streamedLength = Int64(response.body.count) }
        case .failure(let failure): result.fail(failure)
        }
        return result
    }
}

/// An error for a body that an interceptor gave to a response whose own body had gone to a file or a reader.
private struct ReplacedBody: CallError, Described {
    var shown: String {
        "an interceptor can't replace a body that is already in its file or stream"
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
    /// Validates the request that an interceptor passes on in place of this one.
    ///
    /// The result keeps what the call needs, even if the interceptor made a new request: see
    /// ``replaceContent(by:at:headers:)``. A request that the interceptor didn't change is returned as it is.
    fileprivate func replaced(
        by other: EncodedRequest,
        in scope: InterceptorScope
    ) throws(InvalidRequest) -> EncodedRequest {
        guard !other.isSame(as: self) else { return self }
        let (other, credentials) = try other.withoutCredentialsInURL()
        guard let newOrigin = other.origin else { throw InvalidRequest(url: other.url) }
        // The request already has its credential, which must not be sent to another origin.
        guard scope != .exchange || newOrigin == origin else {
            throw InvalidRequest(
                .invalidURL("\(RedactedURL(other.url))"),
                "an interceptor of the scope .exchange can't send a request to another origin"
            )
        }
        guard other.method.isValidToken else {
            throw InvalidRequest(.invalidMethod(other.method.rawValue))
        }
        guard other.body == nil || other.method.allowsBody else {
            throw InvalidRequest(bodyNotAllowedBy: other.method)
        }
        var fields = other.headers
        fields.keepMarks(of: headers)
        // The transport sets the length of the body itself.
        for name in [HTTPHeaderName.contentLength, .transferEncoding] where fields[name] != nil {
            fields.remove(name)
        }
        if newOrigin != origin {
            let host = headers[.host]
            // A `Host` that was meant for the earlier origin would also choose its cookies.
            fields.removeFields { $0.staysHome || $0.name == .host && $0.value == host }
        }
        if let credentials, fields.authToken == nil { fields.authToken = credentials }
        try HeaderRules.check(&fields)
        var replaced = self
        try replaced.replaceContent(by: other, at: newOrigin, headers: fields)
        if scope == .exchange, !fields.hasSameCredentials(as: headers, hiding: redaction.headers) {
            replaced.hasForeignCredential = true
        }
        return replaced
    }

    /// The request without the user and password of its URL, and these as `Authorization`.
    ///
    /// In the URL, each transport would treat them in its own way. An absolute URL as a path sends them as a field, too.
    private func withoutCredentialsInURL() throws(InvalidRequest) -> (EncodedRequest, AuthToken?) {
        guard url.user(percentEncoded: true) != nil || url.password(percentEncoded: true) != nil,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return (self, nil) }
        let credentials = try components.credentials
        (components.user, components.password) = (nil, nil)
        guard let plain = components.url else { return (self, nil) }
        var request = self
        request.url = plain
        return (request, credentials)
    }
}
