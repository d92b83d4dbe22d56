internal import Foundation
internal import NetKit
import NetKitSupport

/// The body of a request, which libcurl asks for piece by piece.
///
/// All but ``LivePieces`` belongs to the thread of the loop.
final class CurlUpload {
    private let source: BodySource
    private var reader: (any BodyReader)?
    private var remaining: Int64
    private let live: LivePieces?
    /// The bytes passed to libcurl so far.
    private(set) var sent: Int64 = 0

    /// Whether the body may have to wait for its next piece.
    var isLive: Bool { live != nil }
    /// Whether libcurl waits for the next piece.
    var isWaiting: Bool { live?.isWaiting == true }

    init(_ source: BodySource, of transfer: CurlTransfer) {
        self.source = source
        remaining = source.length
        live = source.sequence.map { LivePieces($0, of: transfer) }
    }

    /// Reads the next bytes.
    ///
    /// - Parameter buffer: The destination.
    /// - Returns: The number of bytes, 0 at the end, or nil if there are none yet. The transfer proceeds when there are.
    /// - Throws: The reason why the body can't be read.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let count: Int
        if let live {
            guard let pieces = try live.read(into: buffer) else { return nil }
            count = pieces
        } else {
            guard remaining > 0 else { return 0 }
            let reader = try self.reader ?? source.open()
            self.reader = reader
            let size = Int(min(Int64(buffer.count), remaining))
            count = try reader.readBounded(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
            )
            guard count > 0 else { throw BodyTooShort(missing: remaining) }
            remaining -= Int64(count)
        }
        sent += Int64(count)
        return count
    }

    /// Begins again with the first byte, if the body can be read twice.
    func rewind() -> Bool {
        guard live == nil else { return sent == 0 }
        reader?.close()
        (reader, remaining, sent) = (nil, source.length, 0)
        return true
    }

    /// Ends the reading.
    func stop() {
        reader?.close()
        reader = nil
        live?.stop()
    }
}

/// A live sequence, one piece at a time: a task waits with the next piece until libcurl has taken the last one.
final class LivePieces: Sendable {
    private struct State {
        var piece = Data()
        var hasEnded = false
        var error: (any Error)?
        /// Whether libcurl has asked for more than there was.
        var isAsked = false
        var room: CheckedContinuation<Bool, Never>?
        var isStopped = false
    }

    private let state = Locked(State())
    private let task = Locked<Task<Void, Never>?>(nil)

    init(_ sequence: BodySequence, of transfer: CurlTransfer) {
        let length = sequence.length
        let iteration = Task { [weak self, weak transfer] in
            var produced: Int64 = 0
            var last = Data()
            do {
                try await sequence.forEach { piece in
                    guard let self, let transfer else { throw CancellationError() }
                    produced += Int64(piece.count)
                    if let length, produced > length { throw BodyTooLong(length: length) }
                    // libcurl asks for nothing after the last byte: it would never hear of an error there.
                    if produced == length {
                        if !piece.isEmpty { last = piece }
                    } else {
                        try await self.offer(piece, to: transfer)
                    }
                }
                if let length, produced < length { throw BodyTooShort(missing: length - produced) }
                if let self, let transfer { try await self.offer(last, to: transfer) }
                self?.end(nil, of: transfer)
            } catch {
                self?.end(error, of: transfer)
            }
        }
        task.withLock { $0 = iteration }
    }

    private func offer(_ piece: Data, to transfer: CurlTransfer) async throws {
        guard !piece.isEmpty else { return }
        let isStopped = await withCheckedContinuation {
            (continuation: CheckedContinuation<Bool, Never>) in
            let (isStopped, isAsked) = state.withLock { state in
                guard !state.isStopped else { return (true, false) }
                (state.piece, state.room) = (piece, continuation)
                defer { state.isAsked = false }
                return (false, state.isAsked)
            }
            if isStopped { return continuation.resume(returning: true) }
            if isAsked { transfer.hasMoreToSend() }
        }
        if isStopped { throw CancellationError() }
    }

    private func end(_ error: (any Error)?, of transfer: CurlTransfer?) {
        let isAsked = state.withLock { state in
            (state.hasEnded, state.error) = (true, error)
            return state.isAsked && !state.isStopped
        }
        if isAsked { transfer?.hasMoreToSend() }
    }

    /// Whether libcurl has asked for more than there is.
    var isWaiting: Bool { state.withLock { $0.isAsked } }

    /// Takes bytes; 0 at the end, nil if there are none yet.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let (count, room) = try state.withLock {
            state -> (Int?, CheckedContinuation<Bool, Never>?) in
            guard !state.piece.isEmpty else {
                if let error = state.error { throw error }
                state.isAsked = !state.hasEnded
                return (state.hasEnded ? 0 : nil, nil)
            }
            let count = min(buffer.count, state.piece.count)
            state.piece.copyBytes(to: buffer, count: count)
            state.piece = state.piece.count == count ? Data() : state.piece.dropFirst(count)
            guard state.piece.isEmpty else { return (count, nil) }
            defer { state.room = nil }
            return (count, state.room)
        }
        room?.resume(returning: false)
        return count
    }

    func stop() {
        let room = state.withLock { state in
            state.isStopped = true
            defer { state.room = nil }
            return state.room
        }
        task.withLock { $0 }?.cancel()
        // The next read, in a canceled task, tells the sequence that nothing reads it any more.
        room?.resume(returning: false)
    }
}

/// An error for a live sequence that produces more than its length.
struct BodyTooLong: DescribedCause, Equatable {
    let length: Int64

    var description: String { "the body has more than its \(length) bytes" }
}
