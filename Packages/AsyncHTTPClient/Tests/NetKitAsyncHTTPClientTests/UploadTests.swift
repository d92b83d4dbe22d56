import AsyncHTTPClient
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NetKit
import NetKitTesting
import Testing

@testable import NetKitAsyncHTTPClient

@Suite("Uploads over AsyncHTTPClient", .timeLimit(.minutes(15)))
struct UploadTests {
    private struct Broken: Error, Equatable {}

    private struct Upload: Request {
        typealias ResponseObjectType = String
        var path = "x"
        let method: HTTPMethod = .post
        let body: RequestBody?
    }

    @Test("reads the body only as fast as the server accepts it")
    func backPressure() async throws {
        let server = try await RawServer(.init(reads: false))
        let body = CountedBody(length: 1 << 30)
        let (recorder, exchange) = send(
            "http://127.0.0.1:\(server.port)/",
            .post,
            body: body.source()
        )
        await eventually { body.read > 0 }
        // While a server that reads gets all of another body, this one fills what the systems on
        // both sides keep, which is not much.
        let reading = try await RawServer()
        let whole = CountedBody(length: 256 << 20)
        let (other, second) = send(
            "http://127.0.0.1:\(reading.port)/",
            .post,
            body: whole.source()
        )
        await eventually { whole.read == whole.length }
        #expect(body.read < 64 << 20)
        #expect(body.isOpen)
        exchange.cancel()
        #expect(await recorder.finished() == .cancelled)
        await eventually { !body.isOpen }
        #expect(!body.isOpen)
        second.cancel()
        #expect(await other.finished() == .cancelled)
        withExtendedLifetime((server, reading)) {}
    }

    @Test("keeps nothing of a body whose server never reads it, once its exchange has ended")
    func abandoned() async throws {
        let server = try await RawServer(.init(reads: false))
        weak var token: Token?
        do {
            let kept = Token()
            token = kept
            let body = CountedBody(length: 1 << 30)
            let source = BodySource(length: body.length) { [kept] in
                _ = kept
                return try body.source().open()
            }
            let (recorder, exchange) = send(
                "http://127.0.0.1:\(server.port)/",
                .post,
                body: source
            )
            await eventually { body.read > 0 }
            exchange.cancel()
            #expect(await recorder.finished() == .cancelled)
        }
        await eventually { token == nil }
        #expect(token == nil)
        withExtendedLifetime(server) {}
    }

    /// What is released with a body.
    private final class Token: Sendable {}

    @Test("doesn't open a body after its exchange has ended")
    func stoppedWriter() async {
        let body = CountedBody(length: 1 << 20)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let writer = BodyWriter(body.source(), on: loop)
        await #expect(throws: CancellationError.self) {
            try await loop.flatSubmit {
                writer.stop()
                return writer.body.stream(.init { _ in loop.makeSucceededVoidFuture() })
            }
            .get()
        }
        #expect(!body.isOpen)
        #expect(body.read == 0)
    }

    @Test(
        "ends with a response that precedes its last byte",
        arguments: [false, true]
    )
    func earlyAnswer(isSlow: Bool) async throws {
        let head = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 4\r\n\r\n"
        let pieces = isSlow ? [head, "lo", "ng"] : [head + "long"]
        let server = try await RawServer(
            .init(answer: pieces, pause: .milliseconds(50), reads: false)
        )
        let body = CountedBody(length: 1 << 30)
        let (recorder, exchange) = send(
            "http://127.0.0.1:\(server.port)/",
            .post,
            body: body.source()
        )
        #expect(await recorder.finished() == .whole)
        #expect(recorder.head?.status == 413)
        #expect(recorder.body == Data("long".utf8))
        await eventually { !body.isOpen }
        #expect(!body.isOpen)
        withExtendedLifetime((server, exchange)) {}
    }

    @Test(
        "fails with a typed error for a short or unreadable body, and closes it"
    )
    func shortBody() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("ok") }
        let body = CountedBody(length: 500_000)
        let (short, first) = send("\(server.baseURL)/x", .post, body: body.source(giving: 400_000))
        #expect(await short.finished() == .failed(.other))
        #expect(short.error?.underlying as? ShortBody == ShortBody(missing: 100_000))
        #expect(!body.isOpen)
        let closed = BodySource(length: 500_000) { throw Broken() }
        let (broken, second) = send("\(server.baseURL)/x", .post, body: closed)
        #expect(await broken.finished() == .failed(.other))
        #expect(broken.error?.underlying as? Broken == Broken())
        #expect(server.requests.isEmpty)
        withExtendedLifetime((first, second)) {}
    }

    // MARK: Live sequences

    /// Megabytes without end, which are counted.
    private struct EndlessPieces: AsyncSequence, Sendable {
        let given: NIOLockedValueBox<Int>
        let isOver: NIOLockedValueBox<Bool>

        final class AsyncIterator: AsyncIteratorProtocol {
            let pieces: EndlessPieces

            init(pieces: EndlessPieces) {
                self.pieces = pieces
            }

            deinit {
                pieces.isOver.withLockedValue { $0 = true }
            }

            func next() async -> Data? {
                pieces.given.withLockedValue { $0 += 1 }
                return Data(count: 1 << 20)
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self) }
    }

    @Test("continues a live sequence while the response arrives", arguments: [nil, 6] as [Int64?])
    func live(length: Int64?) async throws {
        let server = try MockServer()
        server.route("POST", "/x") { .text(String(decoding: $0.body, as: UTF8.self)) }
        let endpoint = Endpoint(baseURL: server.baseURL, transport: AsyncHTTPClientTransport())
        let (pieces, sink) = AsyncStream.makeStream(of: Data.self)
        let body = RequestBody.stream(pieces, length: length, isLive: true)
        let operation = endpoint.execute(Upload(body: body)).onSuccess { _ in }
        sink.yield(Data("abc".utf8))
        // It is on its way before the sequence has its end.
        await eventually { server.openConnectionCount == 1 }
        #expect(server.openConnectionCount == 1)
        sink.yield(Data("def".utf8))
        sink.finish()
        #expect(try await operation.value == "abcdef")
        let sent = try #require(server.requests.first)
        #expect(sent.headers(named: "Content-Length") == (length == nil ? [] : ["6"]))
        #expect(sent.headers(named: "Transfer-Encoding") == (length == nil ? ["chunked"] : []))
    }

    @Test(
        "pulls a live sequence only as fast as the server accepts it, and stops with the call"
    )
    func liveBackPressure() async throws {
        let server = try await RawServer(.init(reads: false))
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        let endpoint = Endpoint(baseURL: url, transport: AsyncHTTPClientTransport())
        endpoint.timeouts.idle = .seconds(3_600)
        let given = NIOLockedValueBox(0)
        let isOver = NIOLockedValueBox(false)
        let pieces = EndlessPieces(given: given, isOver: isOver)
        let operation = endpoint.execute(Upload(body: .stream(pieces, isLive: true)))
        await eventually { given.withLockedValue { $0 } > 0 }
        // Meanwhile, a server that reads gets 256 pieces of another sequence.
        let reading = try await RawServer()
        let readPieces = EndlessPieces(
            given: NIOLockedValueBox(0),
            isOver: NIOLockedValueBox(false)
        )
        let other = endpoint.execute(
            Upload(
                path: "http://127.0.0.1:\(reading.port)",
                body: .stream(readPieces, isLive: true)
            )
        )
        await eventually { readPieces.given.withLockedValue { $0 } > 256 }
        #expect(given.withLockedValue { $0 } < 64)
        other.cancel()
        operation.cancel()
        do throws(ErrorResponse<ServerMessage>) {
            _ = try await operation.value
            Issue.record("not cancelled")
        } catch {
            guard case .cancelled = error else { throw error }
        }
        await eventually { isOver.withLockedValue { $0 } }
        #expect(isOver.withLockedValue { $0 })
        withExtendedLifetime(server) {}
    }

    @Test("never resends a live sequence after a failure, a redirect or a 401")
    func liveOnce() async throws {
        let server = try MockServer()
        let endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: AsyncHTTPClientTransport(),
            retryingCount: 3
        )
        endpoint.retryPolicy.backoff = .none
        endpoint.authentication = BasicAuthentication(username: "u", password: "p")
        for (answer, status) in [
            (MockResponse.status(503), 503), (.redirect(to: "/y", status: 307), 307),
            (.status(401).header("WWW-Authenticate", "Basic realm=x"), 401),
        ] {
            server.clearRequests()
            server.enqueue(answer)
            let pieces = AsyncStream<Data> { sink in
                sink.yield(Data("abc".utf8))
                sink.finish()
            }
            let operation = endpoint.execute(Upload(body: .stream(pieces, isLive: true)))
                .retryOnFail(true)
            do throws(ErrorResponse<ServerMessage>) {
                _ = try await operation.value
                Issue.record("no error")
            } catch {
                #expect(error.statusCode == status)
            }
            #expect(server.requests.map(\.body) == [Data("abc".utf8)])
        }
    }

    @Test("fails with a typed error for a live sequence that throws or has the wrong length")
    func liveFailures() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("ok") }
        let endpoint = Endpoint(baseURL: server.baseURL, transport: AsyncHTTPClientTransport())
        let throwing = AsyncThrowingStream<Data, any Error> { sink in
            sink.yield(Data("abc".utf8))
            sink.finish(throwing: Broken())
        }
        let failure = await error(of: .stream(throwing, isLive: true), on: endpoint)
        #expect(failure?.underlying as? Broken == Broken())
        for length in [2, 4] as [Int64] {
            let pieces = AsyncStream<Data> { sink in
                sink.yield(Data("abc".utf8))
                sink.finish()
            }
            let failure = await error(
                of: .stream(pieces, length: length, isLive: true),
                on: endpoint
            )
            let text = "a sequence of 3 bytes, announced as \(length)"
            #expect((failure?.underlying as? InvalidRequest)?.reason == .unencodableBody(text))
        }
        #expect(server.requests.isEmpty)
    }

    private func error(of body: RequestBody, on endpoint: Endpoint) async -> TransportError? {
        do throws(ErrorResponse<ServerMessage>) {
            _ = try await endpoint.value(for: Upload(body: body))
            return nil
        } catch {
            guard case .transport(let error) = error else { return nil }
            return error
        }
    }
}
