import Foundation
import NetKit
import NetKitSupport
import Testing

@testable import NetKitCompression

@Suite("Compressed body")
struct CompressedBodyTests {
    /// Lines of a log: gzip makes a tenth of them.
    private static let lines = Data(
        (0..<2_000).map { "2026-01-01T00:00:\($0 % 60) request \($0) answered\n" }.joined().utf8
    )

    /// A source that is read in pieces of any size, and counts its openings.
    private func source(
        _ data: Data,
        pieces: Int,
        _ openings: Locked<Int> = Locked(0)
    ) -> BodySource {
        BodySource(length: Int64(data.count)) {
            openings.withLock { $0 += 1 }
            return PiecesReader(data, size: pieces)
        }
    }

    private final class PiecesReader: BodyReader {
        private var rest: Data
        private let size: Int

        init(_ data: Data, size: Int) {
            rest = data
            self.size = size
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let next = rest.prefix(min(size, buffer.count))
            rest = rest.dropFirst(next.count)
            next.withUnsafeBytes { buffer.copyMemory(from: $0) }
            return next.count
        }

        func close() {}
    }

    private func bytes(of source: BodySource, atATime size: Int = 1 << 16) throws -> Data {
        let reader = try source.open()
        defer { reader.close() }
        var buffer = [UInt8](repeating: 0, count: size)
        var all = Data()
        while let bytes = try reader.next(in: &buffer) { all.append(contentsOf: bytes) }
        return all
    }

    @Test("is the same file, however it is read and written", arguments: [1, 7, 4_096, 1 << 20])
    func pieces(size: Int) async throws {
        let whole = try #require(try await CompressedBody.compressing(BodySource(Self.lines)))
        let file = try #require(whole.data)
        #expect(file.prefix(4) == Data([0x1F, 0x8B, 8, 0]))
        #expect(whole.length < Self.lines.count / 4)
        let streamed = try #require(
            try await CompressedBody.compressing(
                source(Self.lines, pieces: size),
                memoryLimit: 1_000
            )
        )
        #expect(streamed.data == nil)
        #expect(streamed.length == whole.length)
        for _ in 0..<2 { #expect(try bytes(of: streamed, atATime: size) == file) }
    }

    @Test("is kept in memory up to a limit, and otherwise compressed each time it is read")
    func limit() async throws {
        let openings = Locked(0)
        let source = source(Self.lines, pieces: 4_096, openings)
        let length = Int(try #require(try await CompressedBody.compressing(source)).length)
        for (limit, isKept) in [(length, true), (length - 1, false)] {
            openings.withLock { $0 = 0 }
            let body = try #require(
                try await CompressedBody.compressing(source, memoryLimit: limit)
            )
            #expect((body.data != nil) == isKept)
            #expect(openings.withLock { $0 } == 1)
            for _ in 0..<2 { #expect(try bytes(of: body).count == length) }
            #expect(openings.withLock { $0 } == (isKept ? 1 : 3))
        }
    }

    @Test("is missing if it wouldn't be smaller", arguments: [0, 1, 20])
    func small(count: Int) async throws {
        let data = Data((0..<count).map { UInt8($0) })
        #expect(try await CompressedBody.compressing(BodySource(data)) == nil)
        #expect(try await CompressedBody.compressing(source(data, pieces: 1)) == nil)
    }

    @Test("fails for a source of another length", arguments: [-1, 1])
    func wrongLength(difference: Int) async {
        let source = BodySource(length: Int64(Self.lines.count + difference)) {
            PiecesReader(Self.lines, size: 4_096)
        }
        let error = await #expect(throws: InvalidRequest.self) {
            try await CompressedBody.compressing(source)
        }
        guard case .wrongLength? = error?.bodyProblem else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("stops when its task is canceled")
    func canceled() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await CompressedBody.compressing(source(Self.lines, pieces: 4_096))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
