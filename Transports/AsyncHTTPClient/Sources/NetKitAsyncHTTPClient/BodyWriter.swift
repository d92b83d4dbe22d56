internal import AsyncHTTPClient
internal import NIOCore
internal import NetKit

/// Gives a body to AsyncHTTPClient piece by piece, each when there is room for it on the connection.
///
/// It reads on the event loop of its exchange: a read may take as long as a disk takes, but must
/// never wait for anything else.
struct BodyWriter: Sendable {
    private struct State {
        var reader: (any BodyReader)?
        var remaining: Int64
    }

    private static let pieceSize = 64 << 10
    private let source: BodySource
    private let loop: any EventLoop

    /// A body as AsyncHTTPClient takes it; nil for one without bytes, which is framed all the same.
    static func body(_ source: BodySource, on loop: any EventLoop) -> HTTPClient.Body? {
        guard source.length > 0 else { return nil }
        if let data = source.data, data.count <= pieceSize {
            return .byteBuffer(ByteBuffer(bytes: data))
        }
        let writer = BodyWriter(source: source, loop: loop)
        return .stream(contentLength: source.length) { writer.write(to: $0) }
    }

    /// Writes the whole body; called on the event loop.
    private func write(to stream: HTTPClient.Body.StreamWriter) -> EventLoopFuture<Void> {
        let promise = loop.makePromise(of: Void.self)
        let box: NIOLoopBoundBox<State>
        do {
            let state = State(reader: try source.open(), remaining: source.length)
            box = NIOLoopBoundBox(state, eventLoop: loop)
        } catch {
            return loop.makeFailedFuture(UnsendableBody(underlying: error))
        }
        promise.futureResult.whenComplete { _ in
            box.value.reader?.close()
            box.value.reader = nil
        }
        writeNext(box, to: stream, promise)
        return promise.futureResult
    }

    /// Writes pieces for as long as there is room; goes on by itself when there is room again.
    private func writeNext(
        _ box: NIOLoopBoundBox<State>,
        to stream: HTTPClient.Body.StreamWriter,
        _ promise: EventLoopPromise<Void>
    ) {
        do {
            guard let piece = try nextPiece(&box.value) else { return promise.succeed() }
            // A turn of the loop between two pieces lets the connection say that it is full.
            stream.write(.byteBuffer(piece))
                .whenComplete { result in
                    switch result {
                    case .success: loop.execute { writeNext(box, to: stream, promise) }
                    case .failure(let error): promise.fail(error)
                    }
                }
        } catch {
            promise.fail(UnsendableBody(underlying: error))
        }
    }

    /// The next bytes; nil after the last.
    private func nextPiece(_ state: inout State) throws -> ByteBuffer? {
        guard let reader = state.reader, state.remaining > 0 else { return nil }
        let size = Int(min(Int64(Self.pieceSize), state.remaining))
        var buffer = ByteBuffer()
        let count = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { space in
            try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: space.prefix(size)))
        }
        guard count > 0 else { throw BodyTooShort(missing: state.remaining) }
        state.remaining -= Int64(count)
        return buffer
    }
}

/// A request's body could not be read.
struct UnsendableBody: Error {
    let underlying: any Error
}
