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
        "resends a request that isn't processed at most twice, before the retry policy decides",
        // Of a stream that is refused on a kept connection, libcurl doesn't say why it ended.
        arguments: UnprocessingServer.Refusal.allCases.filter { $0 != .refusedStream },
        [(HTTPMethod.get, 0), (.post, 0), (.get, 1), (.post, 1)]
    )
    func neverProcessed(
        refusal: UnprocessingServer.Refusal,
        call: (method: HTTPMethod, retries: Int)
    ) async throws {
        // libcurl from 8.5 on opens another connection at once, on which NetKit lets it send nothing.
        try await UnprocessingServer.expectThreeRequests(refusal, call, over: transport, spare: 1) {
            $0.reason
        }
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

    /// What a server sends for eight requests at once, as one piece.
    enum Ends: CaseIterable, Sendable {
        case resets, resetsInReverse, resetsAfterHeads, responseAmongResets, goAwayAndResets
        case close, closeAfterHeads

        /// Whether the connection ends, too.
        var closes: Bool { self == .close || self == .closeAfterHeads }
    }

    @Test(
        "notices the end of each stream, whichever of them libcurl reads for",
        arguments: Ends.allCases
    )
    func unnoticedEnds(ends: Ends) async throws {
        let waiting = NIOLockedValueBox<[UInt32]>([])
        let server = try await HTTP2Server { _, _ in
            ends.closes && waiting.withLockedValue { $0.isEmpty }
        } _: { _, frame in
            guard frame.isHeaders else { return [] }
            let length = [("content-length", "2")]
            func whole(_ stream: UInt32) -> [UInt8] {
                HTTP2Bytes.headers(status: "200", stream: stream, ends: false, fields: length)
                    + HTTP2Bytes.data("ok", stream: stream, ends: true)
            }
            // One request is answered first, so that the others share its connection.
            let all = waiting.withLockedValue { waiting in
                waiting.append(frame.stream)
                defer { if waiting.count == 9 { waiting = [] } }
                return waiting
            }
            guard all.count > 1 else { return [whole(frame.stream)] }
            guard all.count == 9 else { return [] }
            let streams = all.dropFirst()
            func resets(_ streams: some Sequence<UInt32>) -> [UInt8] {
                streams.flatMap { HTTP2Bytes.reset(stream: $0, code: 2) }
            }
            let heads = streams.flatMap {
                HTTP2Bytes.headers(status: "200", stream: $0, ends: false, fields: length)
            }
            switch ends {
            case .close: return []
            case .closeAfterHeads: return [heads]
            case .resets: return [resets(streams)]
            case .resetsInReverse: return [resets(streams.reversed())]
            case .resetsAfterHeads: return [heads + resets(streams)]
            case .responseAmongResets:
                return [resets(streams.prefix(4)) + whole(all[5]) + resets(streams.suffix(3))]
            case .goAwayAndResets:
                return [HTTP2Bytes.goAway(last: all[8]) + resets(streams)]
            }
        }
        for _ in 0..<20 {
            let (first, exchange) = send(server.url, over: transport)
            #expect(await first.finished() == .whole)
            withExtendedLifetime(exchange) {}
            let calls = (0..<8).map { _ in send(server.url, over: transport) }
            var wholes = 0
            for (recorder, _) in calls {
                switch await recorder.finished() {
                case .whole: wholes += 1
                case .failed(.connectionLost), .failed(.truncatedResponse): break
                case let ending: Issue.record("\(String(describing: ending))")
                }
            }
            withExtendedLifetime(calls) {}
            #expect(wholes == (ends == .responseAmongResets ? 1 : 0))
        }
    }

    @Test("ends a live body with its response, also while another call has the connection")
    func answeredLiveBody() async throws {
        let server = try await HTTP2Server { _, frame in
            // The first call alone is answered, and the call of the live body.
            guard frame.isHeaders, frame.stream != 3 else { return [] }
            let length = [("content-length", "2")]
            return [
                HTTP2Bytes.headers(
                    status: "200",
                    stream: frame.stream,
                    ends: false,
                    fields: length
                ),
                HTTP2Bytes.data("ok", stream: frame.stream, ends: true),
            ]
        }
        let (first, firstExchange) = send(server.url, over: transport)
        #expect(await first.finished() == .whole)
        let (waiting, waitingExchange) = send(server.url, over: transport)
        let (pieces, sink) = AsyncStream.makeStream(of: Data.self)
        let url = try #require(URL(string: server.url))
        let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: 0)
        endpoint.timeouts.idle = .seconds(3_600)
        let body = RequestBody.stream(pieces, isLive: true)
        let live = DefaultRequest<String, ServerMessage>(path: "", method: .post, body: body)
        #expect(try await endpoint.value(for: live) == "ok")
        sink.finish()
        waitingExchange.cancel()
        #expect(await waiting.finished() == .cancelled)
        #expect(server.accepted == 1)
        withExtendedLifetime(firstExchange) {}
    }

    /// libcurl before 8.1 would collect the stream, up to 64 MiB, when it reads a shared connection for the calls.
    @Test("slows the server of a stream whose reader calls the same host between its pieces")
    func slowReader() async throws {
        let nginx = try await Nginx.shared.value
        let url = try #require(URL(string: nginx.url(.modern)))
        let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: 0)
        endpoint.timeouts.idle = .seconds(3_600)
        var received = 0
        for try await chunk in try await endpoint.stream(TextRequest(path: "larger")) {
            let isNextPiece = received >> 18 < (received + chunk.count) >> 18
            received += chunk.count
            if isNextPiece { _ = try await endpoint.value(for: TextRequest(path: "")) }
        }
        #expect(received == 128 << 20)
    }

    /// libcurl before 8.5 would send the third request on the first connection, and give its transfer the first response.
    @Test(
        "sends nothing on a connection of HTTP/1.1 that waits for a response, beside one of HTTP/2"
    )
    func busyConnection() async throws {
        let requests = NIOLockedValueBox((old: 0, modern: 0))
        let server = try await HTTP2Server.mixed(beginsOld: true) { text in
            // The first request waits, and a second one would get both responses.
            let count = requests.withLockedValue { requests in
                requests.old += text.contains("GET /") ? 1 : 0
                return requests.old
            }
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nold"
            return count > 1 ? answer + answer : ""
        } modern: { frame in
            guard frame.endsStream else { return [] }
            let count = requests.withLockedValue { requests in
                requests.modern += 1
                return requests.modern
            }
            // The second request waits, too.
            guard count > 1 else { return [] }
            let head = HTTP2Bytes.headers(status: "200", stream: frame.stream, ends: false)
            return [head, HTTP2Bytes.data("new", stream: frame.stream, ends: true)]
        }
        let (first, one) = send(server.url, over: transport)
        await eventually { requests.withLockedValue { $0.old } == 1 }
        let (second, two) = send(server.url, over: transport)
        await eventually { requests.withLockedValue { $0.modern } == 1 }
        let (third, three) = send(server.url, over: transport)
        #expect(await third.finished() == .whole)
        #expect(third.body == Data("new".utf8))
        #expect(requests.withLockedValue { $0.old } == 1)
        for exchange in [one, two, three] { exchange.cancel() }
        #expect(await first.finished() == .cancelled)
        #expect(await second.finished() == .cancelled)
    }

    /// A server that says in HTTP/2 that it wants HTTP/1.1, and counts what it was sent in each.
    @Test(
        "sends a request again over HTTP/1.1 that the server requires, if it may be repeated",
        arguments: [HTTPMethod.get, .put, .post]
    )
    func requiresHTTP1(method: HTTPMethod) async throws {
        let requests = NIOLockedValueBox((modern: 0, old: 0))
        let server = try await HTTP2Server.mixed { text in
            requests.withLockedValue { $0.old += text.hasPrefix("\(method.rawValue) ") ? 1 : 0 }
            return "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        } modern: { frame in
            guard frame.endsStream else { return [] }
            requests.withLockedValue { $0.modern += 1 }
            return [HTTP2Bytes.reset(stream: frame.stream, code: 13)]
        }
        let body = method == .get ? nil : BodySource(Data("abc".utf8))
        let (recorder, exchange) = send(server.url, method, body: body, over: transport)
        let mayRepeat = method != .post
        let ending = await recorder.finished()
        #expect(ending == (mayRepeat ? .whole : .failed(.connectionLost)))
        #expect(requests.withLockedValue { $0 == (1, mayRepeat ? 1 : 0) })
        withExtendedLifetime(exchange) {}
    }

    /// The server ends a kept connection: its GOAWAY is there when the next request goes out, or only after it.
    @Test(
        "never sends a POST twice on a kept connection that ends",
        arguments: [true, false],
        [true, false]
    )
    func lateGoAway(saysSo: Bool, isProcessed: Bool) async throws {
        let processed = NIOLockedValueBox<[String]>([])
        let server = try await HTTP2Server(closesAt: { $0 == 0 && $1.stream == 3 }) {
            connection,
            frame in
            guard frame.endsStream else { return [] }
            if connection == 0, frame.stream == 3 {
                if isProcessed { processed.withLockedValue { $0.append("0:3") } }
                return saysSo ? [HTTP2Bytes.goAway(last: isProcessed ? 3 : 1)] : []
            }
            processed.withLockedValue { $0.append("\(connection):\(frame.stream)") }
            return [HTTP2Bytes.headers(status: "200", stream: frame.stream, ends: true)]
        }
        for number in 0..<2 {
            let body = BodySource(Data("abc".utf8))
            let (recorder, exchange) = send(server.url, .post, body: body, over: transport)
            let ending = await recorder.finished()
            // A server that closes without a word may have processed it.
            let isResent = number == 0 || saysSo && !isProcessed
            #expect(ending == (isResent ? .whole : .failed(.connectionLost)))
            withExtendedLifetime(exchange) {}
        }
        let all = processed.withLockedValue { $0 }
        #expect(all.first == "0:1" && Set(all).count == all.count)
        #expect(all.count == (saysSo || isProcessed ? 2 : 1))
    }
}
