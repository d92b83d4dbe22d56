import Foundation
import NIOConcurrencyHelpers
import NetKit
import NetKitAsyncHTTPClient
import NetKitTesting
import Testing

@Suite("HTTP/2 connection closed by GOAWAY", .timeLimit(.minutes(15)))
struct GoAwayTests {
    private struct Upload: Request {
        typealias ResponseObjectType = String
        let path = ""
        let method: HTTPMethod = .post
        var body: RequestBody? { .raw(Data("abc".utf8)) }
    }

    @Test("resends unprocessed requests on another connection, whatever their method")
    func repeated() async throws {
        let processed = NIOLockedValueBox<[String]>([])
        let server = try await HTTP2Server.refusing(processed)
        let transport = try await HTTP2Server.transport()
        let calls = (0..<3)
            .map { _ in
                send(server.url, .post, body: BodySource(Data("abc".utf8)), over: transport)
            }
        for (recorder, _) in calls {
            #expect(await recorder.finished() == .whole)
            #expect(recorder.order == "sthf")
            #expect(recorder.sent == recorder.sent.sorted())
            #expect(recorder.sent.last == 3)
        }
        #expect(server.accepted == 2)
        #expect(processed.withLockedValue { $0.sorted() } == ["0:1", "1:1", "1:3"])
        withExtendedLifetime(calls) {}
    }

    @Test("closes an idle connection that the server ends, so that a shutdown doesn't wait for it")
    func idle() async throws {
        let server = try await HTTP2Server { _, frame in
            // The client answers the ping once its stream has ended.
            if frame.type == 6 { return [HTTP2Bytes.goAway(last: 1)] }
            guard frame.endsStream else { return [] }
            let answer = HTTP2Bytes.headers(status: "200", stream: frame.stream, ends: true)
            return [answer + HTTP2Bytes.frame(6, [UInt8](repeating: 0, count: 8))]
        }
        let transport = try await HTTP2Server.transport()
        let (recorder, exchange) = send(server.url, over: transport)
        #expect(await recorder.finished() == .whole)
        await eventually { server.open == 0 }
        #expect(server.open == 0)
        await transport.shutdown()
        withExtendedLifetime(exchange) {}
    }

    @Test(
        "resends a request that isn't processed at most twice, before the retry policy decides",
        arguments: UnprocessingServer.Refusal.allCases,
        [(HTTPMethod.get, 0), (.post, 0), (.get, 1), (.post, 1)]
    )
    func neverProcessed(
        refusal: UnprocessingServer.Refusal,
        call: (method: HTTPMethod, retries: Int)
    ) async throws {
        let transport = try await HTTP2Server.transport()
        try await UnprocessingServer.expectThreeRequests(refusal, call, over: transport) {
            $0.message
        }
    }

    @Test("fails a body that can be read only once")
    func live() async throws {
        let processed = NIOLockedValueBox<[String]>([])
        let server = try await HTTP2Server.refusing(processed)
        let endpoint = Endpoint(
            baseURL: try #require(URL(string: server.url)),
            transport: try await HTTP2Server.transport()
        )
        struct Live: Request {
            typealias ResponseObjectType = Void
            let path = ""
            let method: HTTPMethod = .post
            let body: RequestBody?
        }
        let failures = await withTaskGroup(of: TransportError.Kind?.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    let pieces = AsyncStream<Data> { sink in
                        sink.yield(Data("abc".utf8))
                        sink.finish()
                    }
                    do throws(ErrorResponse<ServerMessage>) {
                        try await endpoint.value(for: Live(body: .stream(pieces, isLive: true)))
                        return nil
                    } catch {
                        guard case .transport(let error) = error else { return nil }
                        return error.kind
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(failures.compactMap { $0 } == [.connectionLost, .connectionLost])
        #expect(server.accepted == 1)
    }

    /// The text of the response to an upload, or what was wrong.
    private func outcome(on endpoint: Endpoint) async -> String {
        do throws(ErrorResponse<ServerMessage>) {
            return try await endpoint.value(for: Upload())
        } catch {
            guard case .transport(let cause) = error else { return "\(error)" }
            return "\(cause.kind): \(String(describing: cause.underlying))"
        }
    }

    @Test("loses none of 200 POSTs, 50 at a time, when closed every five requests")
    func brief() async throws {
        let nginx = try await Nginx.shared.value
        let endpoint = Endpoint(
            baseURL: try #require(URL(string: nginx.url(.brief))),
            transport: try await HTTP2Server.transport(),
            retryingCount: 0
        )
        endpoint.maximumConcurrentRequestsPerHost = 50
        let outcomes = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<50 {
                group.addTask {
                    var outcomes: [String] = []
                    for _ in 0..<4 { outcomes.append(await outcome(on: endpoint)) }
                    return outcomes
                }
            }
            var counts: [String: Int] = [:]
            for await outcomes in group {
                for outcome in outcomes { counts[outcome, default: 0] += 1 }
            }
            return counts
        }
        #expect(outcomes == ["HTTP/2.0  3": 200])
    }
}
