import NetKitSupport

#if canImport(FoundationNetworking)
import Foundation
import Testing

@testable import NetKit

@Suite("Body as a stream")
struct BodyInputStreamTests {
    private struct Unreadable: Error {}

    private final class CountingReader: BodyReader {
        let closed: Locked<Int>
        var pieces: [Data]

        init(_ pieces: [Data], closed: Locked<Int>) {
            self.pieces = pieces
            self.closed = closed
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            guard !pieces.isEmpty else { throw Unreadable() }
            return pieces.removeFirst().copyBytes(to: buffer)
        }

        func close() { closed.withLock { $0 += 1 } }
    }

    private let failure = Locked<(any Error)?>(nil)
    private let sent = Locked<[Int64]>([])
    private let closed = Locked(0)

    private func stream(_ source: BodySource) -> BodyInputStream {
        BodyInputStream(source, failure: failure) { [sent] count in
            sent.withLock { $0.append(count) }
        }
    }

    private func stream(_ pieces: [String], length: Int64) -> BodyInputStream {
        stream(
            BodySource(length: length) { [closed] in
                CountingReader(pieces.map { Data($0.utf8) }, closed: closed)
            }
        )
    }

    /// Reads once: the bytes, or the number that the stream returns instead.
    private func read(_ stream: InputStream, _ count: Int) -> Result<String, Code> {
        var bytes = [UInt8](repeating: 0, count: max(count, 1))
        let length = stream.read(&bytes, maxLength: count)
        return length > 0
            ? .success(String(decoding: bytes[..<length], as: UTF8.self))
            : .failure(Code(value: length))
    }

    private struct Code: Error, Equatable {
        let value: Int
        static let end = Code(value: 0), failed = Code(value: -1)
    }

    @Test("reads the whole body in pieces, counts it, and ends")
    func whole() {
        let stream = stream(["abc", "de"], length: 5)
        #expect(stream.streamStatus == .notOpen)
        #expect(!stream.hasBytesAvailable)
        #expect(read(stream, 4) == .failure(.end))
        stream.open()
        #expect(stream.streamStatus == .open)
        #expect(stream.hasBytesAvailable)
        #expect(read(stream, 4) == .success("abc"))
        #expect(read(stream, 0) == .failure(.end))
        #expect(read(stream, 4) == .success("de"))
        #expect(stream.streamStatus == .atEnd)
        #expect(!stream.hasBytesAvailable)
        #expect(read(stream, 4) == .failure(.end))
        #expect(sent.withLock { $0 } == [3, 5])
        #expect(stream.streamError == nil)
        stream.close()
        #expect(stream.streamStatus == .closed)
        #expect(closed.withLock { $0 } == 1)
        #expect(read(stream, 4) == .failure(.end))
    }

    @Test("never reads more than the announced length")
    func surplus() {
        let stream = stream(BodySource(length: 2) { DataReader(Data("abc".utf8)) })
        stream.open()
        #expect(read(stream, 9) == .success("ab"))
        #expect(read(stream, 9) == .failure(.end))
    }

    @Test("opens its body once")
    func openingTwice() {
        let openings = Locked(0)
        let stream = stream(
            BodySource(length: 2) {
                openings.withLock { $0 += 1 }
                return DataReader(Data("ab".utf8))
            }
        )
        stream.open()
        #expect(read(stream, 1) == .success("a"))
        stream.open()
        #expect(read(stream, 1) == .success("b"))
        #expect(openings.withLock { $0 } == 1)
    }

    @Test("fails when the body can't be opened, and still asks URLSession to read")
    func unopened() {
        let stream = stream(BodySource(length: 2) { throw Unreadable() })
        stream.open()
        #expect(stream.streamStatus == .error)
        #expect(stream.streamError is Unreadable)
        #expect(stream.hasBytesAvailable)
        #expect(read(stream, 4) == .failure(.failed))
    }

    @Test("fails when reading fails, and closes the body at once")
    func unread() {
        let stream = stream(["a"], length: 2)
        stream.open()
        #expect(read(stream, 4) == .success("a"))
        #expect(read(stream, 4) == .failure(.failed))
        #expect(stream.streamStatus == .error)
        #expect(failure.withLock { $0 is Unreadable })
        #expect(closed.withLock { $0 } == 1)
        #expect(read(stream, 4) == .failure(.failed))
    }

    @Test("fails when the body is shorter than announced")
    func short() throws {
        let stream = stream(["a", ""], length: 3)
        stream.open()
        #expect(read(stream, 4) == .success("a"))
        #expect(read(stream, 4) == .failure(.failed))
        #expect(try #require(stream.streamError as? BodyTooShort).missing == 2)
    }

    @Test("has no buffer of its own to lend")
    func buffer() {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let stream = stream(["a"], length: 1)
        stream.open()
        #expect(!stream.getBuffer(&bytes, length: &count))
        #expect(bytes == nil && count == 0)
    }
}
#endif
