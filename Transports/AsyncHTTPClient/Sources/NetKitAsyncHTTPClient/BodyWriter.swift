internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NetKit

/// Gives a body to AsyncHTTPClient piece by piece, each when there is room for it on the connection.
///
/// It reads on the event loop of its exchange: a read may take as long as a disk takes, but must
/// never wait for anything else.
final class BodyWriter: Sendable {
    private struct State {
        var reader: (any BodyReader)?
        var remaining: Int64 = 0
        /// Kept when all is written or nothing more is to be.
        var promise: EventLoopPromise<Void>?
        /// Asks a live sequence for its pieces.
        var task: Task<Void, Never>?
        /// What the next piece waits for.
        var room: EventLoopPromise<Void>?
        /// Whether all is written, or nothing more is to be.
        var isOver = false
    }

    private static let pieceSize = 64 << 10
    private let source: BodySource
    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - source: The body, which has at least one byte or is a sequence.
    ///   - loop: Where everything happens.
    init(_ source: BodySource, on loop: any EventLoop) {
        self.source = source
        self.loop = loop
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// The body as AsyncHTTPClient takes it.
    var body: HTTPClient.Body {
        let length = source.sequence.map(\.length) ?? source.length
        return .stream(contentLength: length) { self.write(to: $0) }
    }

    /// Writes nothing more, and closes what is open; called on the event loop when all is over.
    ///
    /// AsyncHTTPClient forgets a writer that waits for room on a connection that is lost, and may ask for a body
    /// whose exchange is over already: an answer can be faster than the request.
    func stop() {
        finish(.failure(CancellationError()))
    }

    private func write(to stream: HTTPClient.Body.StreamWriter) -> EventLoopFuture<Void> {
        guard !state.value.isOver else { return loop.makeFailedFuture(CancellationError()) }
        if let data = source.data, data.count <= Self.pieceSize {
            return stream.write(.byteBuffer(ByteBuffer(bytes: data)))
        }
        if let sequence = source.sequence { return write(sequence, to: stream) }
        do {
            state.value.reader = try source.open()
        } catch {
            return loop.makeFailedFuture(UnsendableBody(underlying: error))
        }
        let promise = loop.makePromise(of: Void.self)
        state.value.remaining = source.length
        state.value.promise = promise
        writeNext(to: stream)
        return promise.futureResult
    }

    /// Writes pieces as they come, each when there is room for it.
    private func write(
        _ sequence: BodySequence,
        to stream: HTTPClient.Body.StreamWriter
    ) -> EventLoopFuture<Void> {
        let promise = loop.makePromise(of: Void.self)
        state.value.promise = promise
        state.value.task = Task {
            let result: Result<Void, any Error>
            do {
                try await sequence.forEach { piece in
                    do {
                        try await self.write(piece, to: stream)
                    } catch {
                        throw FailedWrite(underlying: error)
                    }
                }
                result = .success(())
            } catch let error as FailedWrite {
                result = .failure(error.underlying)
            } catch {
                result = .failure(UnsendableBody(underlying: error))
            }
            self.loop.execute { self.finish(result) }
        }
        return promise.futureResult
    }

    /// Writes a piece, and waits until there is room for the next one or nothing more is written.
    private func write(_ piece: Data, to stream: HTTPClient.Body.StreamWriter) async throws {
        try await loop
            .flatSubmit {
                let room = self.loop.makePromise(of: Void.self)
                guard self.state.value.promise != nil else {
                    room.fail(CancellationError())
                    return room.futureResult
                }
                self.state.value.room = room
                stream.write(.byteBuffer(ByteBuffer(bytes: piece))).whenComplete(self.hasRoom)
                return room.futureResult
            }
            .get()
    }

    private func hasRoom(_ result: Result<Void, any Error>) {
        let room = state.value.room
        state.value.room = nil
        room?.completeWith(result)
    }

    /// Writes a piece, and goes on when there is room again.
    private func writeNext(to stream: HTTPClient.Body.StreamWriter) {
        do {
            guard let piece = try nextPiece() else { return finish(.success(())) }
            stream.write(.byteBuffer(piece))
                .whenComplete { result in
                    switch result {
                    // A turn of the loop between two pieces lets the connection say it is full.
                    case .success: self.loop.execute { self.writeNext(to: stream) }
                    case .failure(let error): self.finish(.failure(error))
                    }
                }
        } catch {
            finish(.failure(UnsendableBody(underlying: error)))
        }
    }

    /// The next bytes; nil after the last.
    private func nextPiece() throws -> ByteBuffer? {
        guard let reader = state.value.reader, state.value.remaining > 0 else { return nil }
        let size = Int(min(Int64(Self.pieceSize), state.value.remaining))
        var buffer = ByteBuffer()
        let count = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { space in
            try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: space.prefix(size)))
        }
        guard count > 0 else { throw ShortBody(missing: state.value.remaining) }
        state.value.remaining -= Int64(count)
        return buffer
    }

    private func finish(_ result: Result<Void, any Error>) {
        let ended = state.value
        state.value = State(isOver: true)
        ended.reader?.close()
        ended.task?.cancel()
        ended.room?.fail(CancellationError())
        ended.promise?.completeWith(result)
    }
}

/// A piece of a sequence could not be written, which is not the sequence's doing.
private struct FailedWrite: Error {
    let underlying: any Error
}

/// A request's body could not be read.
struct UnsendableBody: Error {
    let underlying: any Error
}

/// A body that ended before its announced length.
struct ShortBody: DescribedCause, Equatable {
    /// The number of bytes that are missing.
    let missing: Int64

    var description: String { "the body ended \(missing) bytes before its length" }
}
