import Foundation
import NIOConcurrencyHelpers
import NetKit
import NetKitTesting
import Testing

/// A server of HTTP/2 that ends a stream, a connection or both at any frame of a client, as a seed decides.
@Suite("HTTP/2 that ends at any frame", .timeLimit(.minutes(30)))
struct EndingFramesTests {
    /// As many as the environment says.
    private static let rounds =
        ProcessInfo.processInfo.environment["NETKIT_RESETS"].flatMap { Int($0) } ?? 1_000
    private static let tasks = 64

    /// What the server sends for a frame.
    private static func answer(
        _ frame: HTTP2Frames.Frame,
        _ generator: NIOLockedValueBox<SeededGenerator>
    ) -> [[UInt8]] {
        guard frame.stream > 0 else { return [] }
        let stream = frame.stream
        let (choice, code, last) = generator.withLockedValue { generator in
            (
                Int.random(in: 0..<24, using: &generator),
                [0, 1, 2, 5, 7, 8, 11, 13].randomElement(using: &generator) ?? 8,
                UInt32.random(in: 0...(stream + 4), using: &generator)
            )
        }
        let head = HTTP2Bytes.headers(status: "200", stream: stream, ends: false)
        let reset = HTTP2Bytes.reset(stream: stream, code: UInt32(code))
        switch choice {
        case 0: return [reset]
        case 1: return [reset, reset]
        case 2: return [head, HTTP2Bytes.data("o", stream: stream, ends: false), reset]
        case 3: return [head + reset]
        case 4: return [HTTP2Bytes.goAway(last: last), reset]
        case 5: return [HTTP2Bytes.goAway(last: last, code: UInt32(code))] + whole(frame, head)
        case 6: return [reset + HTTP2Bytes.goAway(last: last)]
        default: return whole(frame, head)
        }
    }

    /// The response, once the request has ended, and room for more of its body until then.
    private static func whole(_ frame: HTTP2Frames.Frame, _ head: [UInt8]) -> [[UInt8]] {
        let (data, windowUpdate): (UInt8, UInt8) = (0, 8)
        if frame.endsStream {
            return [head, HTTP2Bytes.data("ok", stream: frame.stream, ends: true)]
        }
        guard frame.type == data else { return [] }
        let room: [UInt8] = [0, 0, 0x40, 0]
        return [
            HTTP2Bytes.frame(windowUpdate, room),
            HTTP2Bytes.frame(windowUpdate, stream: frame.stream, room),
        ]
    }

    @Test("ends each call once, with its value or a typed error")
    func anyFrame() async throws {
        let random = NIOLockedValueBox(SeededGenerator(seed: 922))
        let closes = NIOLockedValueBox(SeededGenerator(seed: 923))
        let server = try await HTTP2Server { _, _ in
            closes.withLockedValue { Int.random(in: 0..<24, using: &$0) == 0 }
        } _: { _, frame in
            Self.answer(frame, random)
        }
        let transport = try await HTTP2Server.transport()
        let url = server.url
        let problems = await withTaskGroup(of: [String].self) { group in
            for task in 0..<Self.tasks {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(task))
                    var problems: [String] = []
                    for _ in 0..<(Self.rounds / Self.tasks + 1) {
                        let size = [0, 1, 300, 100_000].randomElement(using: &generator) ?? 0
                        let (recorder, exchange) = send(
                            url,
                            size == 0 ? .get : .post,
                            body: size == 0 ? nil : BodySource(Data(count: size)),
                            over: transport
                        )
                        if let problem = await Self.problem(recorder) { problems.append(problem) }
                        withExtendedLifetime(exchange) {}
                    }
                    return problems
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(problems == [])
    }

    /// What is wrong with the end of a call.
    private static func problem(_ recorder: Recorder) async -> String? {
        let kinds: [TransportError.Kind] = [
            .connectionLost, .malformedResponse, .truncatedResponse, .secureConnection,
        ]
        switch await recorder.finished() {
        case .whole:
            return recorder.body == Data("ok".utf8)
                ? nil : "whole with \(recorder.body.count) bytes"
        case .failed(let kind) where kinds.contains(kind): return nil
        case let ending:
            return "\(String(describing: ending)) \(recorder.error.map { "\($0)" } ?? "")"
        }
    }
}
