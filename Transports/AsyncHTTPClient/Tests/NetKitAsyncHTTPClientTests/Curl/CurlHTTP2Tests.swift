import Foundation
import NIOConcurrencyHelpers
import NetKit
import NetKitCurl
import Testing

/// HTTP/2 over libcurl, with a server that sends the frames of the test.
@Suite("HTTP/2 over libcurl", .timeLimit(.minutes(15)))
struct CurlHTTP2Tests {
    private let transport: CurlTransport

    init() async throws {
        let nginx = try await Nginx.shared.value
        transport = try CurlTransport.trusting(nginx.file("authority.pem"))
    }

    @Test("resends requests that the server refused, on another connection, whatever the method")
    func refused() async throws {
        let processed = NIOLockedValueBox<[String]>([])
        let server = try await HTTP2Server.refusing(processed)
        let calls = (0..<3)
            .map { _ in
                send(server.url, .post, body: BodySource(Data("abc".utf8)), over: transport)
            }
        for (recorder, _) in calls {
            let ending = await recorder.finished()
            #expect(ending == .whole, "\(String(describing: recorder.error))")
        }
        // Each once: the first on the first connection, the others on later ones.
        #expect(processed.withLockedValue { $0.count { $0 == "0:1" } == 1 && $0.count == 3 })
        withExtendedLifetime(calls) {}
    }

    @Test(
        "resends a request that nobody processes at most twice, before the retry policy decides",
        arguments: UnprocessingServer.Refusal.allCases,
        [(HTTPMethod.get, 0), (.post, 0), (.get, 1), (.post, 1)]
    )
    func neverProcessed(
        refusal: UnprocessingServer.Refusal,
        call: (method: HTTPMethod, retries: Int)
    ) async throws {
        let server = try await UnprocessingServer(refusal)
        let error = try await server.failure(call.method, retries: call.retries, over: transport)
        #expect(error?.kind == .connectionLost)
        let attempts = call.method == .get ? 1 + call.retries : 1
        #expect(server.requests <= 3 * attempts)
        #expect(server.connections <= 3 * attempts)
        guard refusal != .goAwayFirst else { return }
        #expect(server.requests == 3 * attempts)
        let text = "the server ended 3 connections before it processed the request"
        #expect(error?.reason == text)
    }

    @Test("gives no bytes of a canceled exchange to the next one")
    func canceledWhileHeldBack() async throws {
        let server = try await HTTP2Server { _, frame in
            guard frame.isHeaders else { return [] }
            let letter = frame.stream % 4 == 1 ? "A" : "B"
            let text = String(repeating: letter, count: 16_000)
            let head = HTTP2Bytes.headers(status: "200", stream: frame.stream, ends: false)
            return [head, HTTP2Bytes.data(text, stream: frame.stream, ends: letter == "B")]
        }
        for _ in 0..<10 {
            let (held, exchange) = send(server.url, over: transport)
            _ = exchange.pause()
            await eventually { held.head != nil }
            exchange.cancel()
            _ = await held.finished()
            let (next, following) = send(server.url, over: transport)
            _ = following.pause()
            await eventually { next.head != nil }
            following.resume()
            #expect(await next.finished() == .whole)
            #expect(Set(next.body) == [UInt8(ascii: "B")])
        }
        #expect(server.accepted == 1)
    }
}
