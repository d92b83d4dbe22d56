import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NetKit
import NetKitAsyncHTTPClient
import Testing

/// Servers that answer with mutated responses and with arbitrary frames.
///
/// The environment's `NETKIT_FUZZ_ROUNDS` says how many exchanges each test has; a seed makes them the same
/// each time.
@Suite("Hostile server", .timeLimit(.minutes(15)))
struct HostileServerTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["NETKIT_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 320

    @Test("can only fail an exchange with a typed error over HTTP/1.1", arguments: 0..<4)
    func http1(part: Int) async throws {
        let random = NIOLockedValueBox(SeededGenerator(seed: UInt64(part)))
        let server = try await ScriptedServer { _ in
            var hasAnswered = false
            return { _ in
                guard !hasAnswered else { return .init() }
                hasAnswered = true
                return random.withLockedValue { .init(pieces: Self.response(&$0), closes: true) }
            }
        }
        try await exchange(with: "http://127.0.0.1:\(server.port)/", AsyncHTTPClientTransport())
        withExtendedLifetime(server) {}
    }

    @Test("can only fail an exchange with a typed error over HTTP/2", arguments: 0..<4)
    func http2(part: Int) async throws {
        let random = NIOLockedValueBox(SeededGenerator(seed: UInt64(part)))
        let server = try await HTTP2Server(closes: true) { _, frame in
            guard frame.isHeaders else { return [] }
            return random.withLockedValue { Self.frames(&$0, stream: frame.stream) }
        }
        try await exchange(with: server.url, HTTP2Server.transport())
        withExtendedLifetime(server) {}
    }

    /// Has a number of exchanges, each of which has to end.
    private func exchange(with url: String, _ transport: AsyncHTTPClientTransport) async throws {
        let methods: [HTTPMethod] = [.get, .head, .post, .put]
        for round in 0..<Self.rounds / 4 {
            let method = methods[round % 4]
            let body = round % 4 < 2 ? nil : BodySource(Data(count: round % 8 < 4 ? 3 : 300_000))
            let (recorder, exchange) = send(url, method, body: body, over: transport)
            #expect(await recorder.finished() != nil, "round \(round)")
            withExtendedLifetime(exchange) {}
        }
        await transport.shutdown()
    }

    // MARK: HTTP/1.1

    private static let responses = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 100 X\r\n\r\nHTTP/1.1 103 X\r\n\r\nHTTP/1.1 201 X\r\n\r\nto the end",
        "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n",
        "HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nx",
        "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nx",
        "HTTP/1.1 307 X\r\nLocation: /\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\u{1F}\u{0B}ab",
    ]
    private static let tokens = [
        "000", "099", "-1", "999", "9223372036854775807", "18446744073709551616", "-0", "0x10",
        "\r\n",
        "\r\n\r\n", "\n", "\0", ":", " ", "chunked", "gzip", "deflate", "HTTP/1.1 ", "HTTP/9.9 ",
        "100",
        "101", "FFFFFFFFFFFFFFFF", "Content-Length: ", "Transfer-Encoding: ",
        "Connection: close\r\n",
    ]

    private static func response(_ random: inout SeededGenerator) -> [[UInt8]] {
        var bytes = (0..<Int.random(in: 1...2, using: &random))
            .flatMap { _ in
                Array((responses.randomElement(using: &random) ?? "").utf8)
            }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                bytes.insert(
                    contentsOf: (tokens.randomElement(using: &random) ?? "").utf8,
                    at: place
                )
            case 1 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &random)
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + 3))
            case 3: bytes.insert(contentsOf: bytes[place...], at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        // Three digits are replaced by others: the status most of all.
        if Bool.random(using: &random), bytes.count > 12 {
            let number = Int.random(in: 0...999, using: &random)
            let digits = [number / 100, number / 10 % 10, number % 10].map { UInt8(48 + $0) }
            bytes.replaceSubrange(9..<12, with: digits)
        }
        var pieces: [[UInt8]] = []
        while !bytes.isEmpty {
            let size = Int.random(in: 1...bytes.count, using: &random)
            pieces.append(Array(bytes.prefix(size)))
            bytes.removeFirst(size)
        }
        return pieces
    }

    // MARK: HTTP/2

    private static func frames(_ random: inout SeededGenerator, stream: UInt32) -> [[UInt8]] {
        let statuses = ["200", "204", "099", "103", "101", "-7", "307", "1000", ""]
        let streams: [UInt32] = [stream, stream, stream, 0, stream + 2, stream + 1, 0x7FFF_FFFF]
        return (0..<Int.random(in: 1...6, using: &random))
            .map { _ in
                let target = streams.randomElement(using: &random) ?? 0
                let number = UInt32.random(in: 0...UInt32.max, using: &random)
                let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
                switch Int.random(in: 0..<12, using: &random) {
                case 0...3:
                    return HTTP2Bytes.headers(
                        status: statuses.randomElement(using: &random) ?? "",
                        stream: target,
                        ends: Bool.random(using: &random),
                        fields: Bool.random(using: &random) ? [("content-length", "-1")] : []
                    )
                case 4...5:
                    return HTTP2Bytes.data("ok", stream: target, ends: Bool.random(using: &random))
                case 6: return HTTP2Bytes.reset(stream: target, code: number % 20)
                case 7: return HTTP2Bytes.goAway(last: number % 8 < 4 ? number % 8 : number)
                case 8: return HTTP2Bytes.frame(4, [0, UInt8(number % 8)] + bytes)
                case 9: return HTTP2Bytes.frame(8, stream: target, bytes)
                default:
                    return HTTP2Bytes.frame(
                        UInt8.random(in: 0...14, using: &random),
                        flags: UInt8.random(in: 0...255, using: &random),
                        stream: target,
                        (0..<Int.random(in: 0...24, using: &random))
                            .map { _ in
                                UInt8.random(in: 0...255, using: &random)
                            }
                    )
                }
            }
    }
}
