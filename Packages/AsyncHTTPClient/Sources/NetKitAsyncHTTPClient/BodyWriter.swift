internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NetKit

/// Writes a body to AsyncHTTPClient in pieces, as the connection has room for them.
///
/// It reads on the event loop of its exchange. A read may take as long as a disk access but must never wait for
/// anything else.
final class BodyWriter: Sendable {
    private struct State {
        var reader: (any BodyReader)?
        var remaining: Int64 = 0
        /// Completes when everything is written or the writing has stopped.
        var promise: EventLoopPromise<Void>?
        /// Where the pieces of a body that isn't live go.
        var stream: HTTPClient.Body.StreamWriter?
        /// The task that iterates a live sequence.
        var task: Task<Void, Never>?
        /// The promise that the next piece waits for.
        var room: EventLoopPromise<Void>?
        /// Whether everything is written or the writing has stopped.
        var isOver = false
    }

    private static let pieceSize = 64 << 10
    private let source: BodySource
    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - source: The body, which has at least one byte or is a sequence.
    ///   - loop: The event loop of the exchange.
    init(_ source: BodySource, on loop: any EventLoop) {
        self.source = source
        self.loop = loop
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// The body in the form of AsyncHTTPClient.
    var body: HTTPClient.Body {
        let length = source.sequence.map(\.length) ?? source.length
        return .stream(contentLength: length) { self.write(to: $0) }
    }

    /// Stops writing and closes the body.
    ///
    /// Called on the event loop when the exchange ends.
    ///
    /// AsyncHTTPClient drops a writer that waits for room on a lost connection. It may also ask for the body of an
    /// ended exchange, because a response can be faster than its request.
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
        state.value.stream = stream
        writeNext()
        return promise.futureResult
    }

    /// Writes pieces as they arrive, each when there is room.
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

    /// Writes a piece, and waits for room for the next one or for the end.
    private func write(_ piece: Data, to stream: HTTPClient.Body.StreamWriter) async throws {
        try await loop
            .flatSubmit {
                let room = self.loop.makePromise(of: Void.self)
                guard self.state.value.promise != nil else {
                    room.fail(CancellationError())
                    return room.futureResult
                }
                self.state.value.room = room
                stream.write(.byteBuffer(ByteBuffer(bytes: piece)))
                    .whenComplete { [weak self] in self?.hasRoom($0) }
                return room.futureResult
            }
            .get()
    }

    private func hasRoom(_ result: Result<Void, any Error>) {
        let room = state.value.room
        state.value.room = nil
        room?.completeWith(result)
    }

    /// Writes a piece and continues when there is room.
    ///
    /// Weakly, because AsyncHTTPClient may never complete the future of a piece, which holds itself until then.
    private func writeNext() {
        guard let stream = state.value.stream else { return }
        do {
            guard let piece = try nextPiece() else { return finish(.success(())) }
            stream.write(.byteBuffer(piece))
                .whenComplete { [weak self] result in
                    guard let self else { return }
                    switch result {
                    // Yields to the event loop between pieces, so that the connection can report that it is full.
                    case .success: self.loop.execute { self.writeNext() }
                    case .failure(let error): self.finish(.failure(error))
                    }
                }
        } catch {
            finish(.failure(UnsendableBody(underlying: error)))
        }
    }

    /// Returns the next bytes, or nil after the last.
    private func nextPiece() throws -> ByteBuffer? {
        guard let reader = state.value.reader, state.value.remaining > 0 else { return nil }
        let size = Int(min(Int64(Self.pieceSize), state.value.remaining))
        var buffer = ByteBuffer()
        let count = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { space in
            let room = UnsafeMutableRawBufferPointer(rebasing: space.prefix(size))
            // A custom reader could claim any count.
            return min(max(0, try reader.read(into: room)), size)
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

/// An error from writing a piece, as opposed to an error of the sequence.
private struct FailedWrite: Error {
    let underlying: any Error
}

/// An error from reading a request's body.
struct UnsendableBody: Error {
    let underlying: any Error
}

/// An error for a body that ended before its announced length.
struct ShortBody: DescribedCause, Equatable {
    /// The number of missing bytes.
    let missing: Int64

    var description: String { "the body ended \(missing) bytes before its length" }
}
