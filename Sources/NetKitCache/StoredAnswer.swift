import Foundation
import NetKit
import NetKitSupport

/// Answers a request with a stored response, in memory or through a sink.
struct StoredAnswer: Layer {
    /// The number of bytes per write to a sink.
    private static let portion = 256 << 10

    let stored: StoredResponse
    let outcome: CacheOutcome
    /// The maximum size of a body in memory, in bytes.
    let maximumSize: Int

    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        let (head, start) = (self.head(at: call.clock.date), call.clock.now)
        var parts = AttemptResult.Parts(request, .failure(.cancelled))
        parts.attempt = call.attempt
        parts.cacheOutcome = outcome
        let isHead = request.method == .head
        let sink = isHead ? nil : call.sink?()
        do {
            var body = Data()
            if let sink, let content = try sink.begin(head) {
                try await pass(head, to: sink, content, in: call, since: start)
                parts.streamedLength = stored.body.count
            } else if !isHead {
                body = try await data(in: call)
                report(stored.body.count, of: head, into: nil, in: call, since: start)
            }
            try sink?.end()
            // The server has confirmed a revalidated response.
            let isOfCache = outcome != .revalidated
            parts.outcome = .response(
                HTTPResponse(to: request, head, body: body, isOfCache: isOfCache)
            )
        } catch let failure as CallFailure {
            sink?.abandon()
            parts.outcome = .failure(failure.of(request))
        } catch {
            sink?.abandon()
            let failure = CallFailure.transport(TransportError(ofSink: error))
            parts.outcome = .failure(failure.of(request))
        }
        let result = AttemptResult(parts)
        if let reporter = call.reporter {
            let expiration = Freshness.expirationDate(of: stored.head)
            reporter.report(.answeredFromCache(result, freshUntil: expiration))
        }
        return result
    }

    /// Returns the stored head, with its age unless the server has just confirmed it.
    private func head(at date: Date) -> ResponseHead {
        var headers = stored.head.headers
        if outcome != .revalidated {
            let age = Freshness(of: stored.head, at: date).age
            headers[.age] = String(Int64(min(age, 2_147_483_648)))
        }
        return ResponseHead(status: stored.head.status, headers: headers)
    }

    /// Returns the whole body.
    private func data(in call: CallContext) async throws -> Data {
        guard stored.body.count <= Int64(maximumSize) else {
            throw TransportError(responseLargerThan: maximumSize)
        }
        switch stored.body {
        case .data(let data): return data
        case .file(let file): return try await read(file, at: 0, count: Int(file.count), in: call)
        }
    }

    /// Passes the body to a sink, with backpressure.
    private func pass(
        _ head: ResponseHead,
        to sink: any BodySink,
        _ content: SinkContent,
        in call: CallContext,
        since start: UInt64
    ) async throws {
        var passed: Int64 = 0
        while passed < stored.body.count {
            if sink.isFull {
                let wait = Wait()
                if sink.awaitRoom({ wait.finish() }) { await wait.run(call.control) }
            }
            if let stopped = call.control.stopped { throw CallFailure(stopped) }
            let portion = try await portion(at: passed, in: call)
            guard !portion.isEmpty else { throw TransportError(.truncatedResponse) }
            try sink.write(portion)
            passed += Int64(portion.count)
            report(passed, of: head, into: content, in: call, since: start)
        }
    }

    private func portion(at offset: Int64, in call: CallContext) async throws -> Data {
        switch stored.body {
        // A slice would keep its parent's indices.
        case .data(let data): return Data(data.dropFirst(Int(offset)).prefix(Self.portion))
        case .file(let file):
            return try await read(file, at: offset, count: Self.portion, in: call)
        }
    }

    /// Reads a part of a file, but doesn't wait for a hanging disk once the call is stopped.
    private func read(
        _ file: any StoredFile,
        at offset: Int64,
        count: Int,
        in call: CallContext
    ) async throws -> Data {
        let read = await call.control.run { () async -> Result<Data, any Error> in
            do {
                return .success(try await file.read(at: offset, count: count))
            } catch {
                return .failure(error)
            }
        }
        // The only failure of the outer one is the stop.
        return try read.get().get()
    }

    private func report(
        _ count: Int64,
        of head: ResponseHead,
        into content: SinkContent?,
        in call: CallContext,
        since start: UInt64
    ) {
        call.plan.onTransfer? {
            guard head.status.isSuccessful else { return nil }
            return TransferCount(
                receiving: count,
                of: head,
                into: content,
                since: start,
                isMain: true
            )
        }
    }
}
