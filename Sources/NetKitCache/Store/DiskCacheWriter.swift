import Foundation
import NetKit

/// Writes a response to a file, which becomes an entry when it is renamed.
///
/// It makes decisions under its lock and leaves file access to the folder's queues, so that callers don't wait for the
/// disk.
final class DiskCacheWriter: CacheWriter {
    private enum Phase {
        case writing
        case committing
        case over
    }

    private struct State {
        var phase = Phase.writing
        var isDiscarded = false
        /// The length of the body so far.
        var count = 0
        /// Bytes held back to be written together with the next ones.
        var waiting = Data()
        /// The number of bytes that the queue has yet to write.
        var unwritten = 0
        /// Handlers to call when there is room again or writing has ended.
        var onRoom: [@Sendable () -> Void] = []

        mutating func takeOnRoom() -> [@Sendable () -> Void] {
            defer { onRoom = [] }
            return onRoom
        }
    }

    /// The number of bytes per write.
    private static let portion = 256 << 10
    /// The maximum number of bytes that wait for the disk.
    ///
    /// From half of it on, the writer is full.
    private static let limit = 4 << 20

    let key: CacheKey
    private let folder: CacheFolder
    private let part: PartialEntry
    private let state = Locked(State())

    init(for key: CacheKey, in folder: CacheFolder) {
        self.key = key
        self.folder = folder
        part = PartialEntry(EntryName(folder.names.key(of: key)), in: folder)
    }

    deinit {
        let id = ObjectIdentifier(self)
        _ = folder.state.withLock { [key] in $0.writers.remove(id, for: key.url) }
        // If the writer is over, its file has already been handled.
        guard state.withLock({ $0.phase != .over }) else { return }
        folder.parts.add { [part] in part.discard() }
    }

    func write(_ data: Data) {
        let maximumSize = folder.maximumSize
        let (portion, isTooMuch) = state.withLock { state -> (Data?, Bool) in
            guard state.phase == .writing, !data.isEmpty else { return (nil, false) }
            guard data.count <= maximumSize - state.count else { return (nil, true) }
            state.count += data.count
            var portion = data
            if !state.waiting.isEmpty || data.count < Self.portion {
                state.waiting.append(data)
                guard state.waiting.count >= Self.portion else { return (nil, false) }
                portion = state.waiting
                state.waiting = Data()
            }
            guard state.unwritten == 0 || portion.count <= Self.limit - state.unwritten else {
                return (nil, true)
            }
            state.unwritten += portion.count
            return (portion, false)
        }
        if isTooMuch { discard() }
        if let portion { folder.parts.add { self.put(portion) } }
    }

    var isDiscarded: Bool { state.withLock { $0.isDiscarded } }

    var isFull: Bool {
        state.withLock { $0.phase == .writing && $0.unwritten >= Self.limit / 2 }
    }

    func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.phase == .writing, state.unwritten > Self.limit / 4 else { return false }
            state.onRoom.append(handler)
            return true
        }
    }

    func commit(_ head: StoredHead) async -> Bool {
        let rest = state.withLock { state -> Data? in
            guard state.phase == .writing else { return nil }
            state.phase = .committing
            defer { state.waiting = Data() }
            return state.waiting
        }
        guard let rest else { return false }
        guard head.key == key, let metadata = EntryMetadata.bytes(of: head) else {
            discard()
            return false
        }
        let variant = head.variant
        let isKept = await withCheckedContinuation { continuation in
            folder.parts.add {
                let size = self.isDiscarded ? nil : self.part.finish(rest, metadata: metadata)
                self.folder.entries.add {
                    continuation.resume(returning: self.publish(variant, size))
                }
            }
        }
        if isKept { end(givingUp: false) } else { discard() }
        return isKept
    }

    func discard() {
        let id = ObjectIdentifier(self)
        _ = folder.state.withLock { [key] in $0.writers.remove(id, for: key.url) }
        giveUp()
    }

    /// Stops writing, and removes the file after pending writes.
    func giveUp() {
        guard end(givingUp: true) else { return }
        folder.parts.add { [part] in part.discard() }
    }

    /// Discards the response and removes its file at once.
    func discardNow() {
        giveUp()
        part.unlink()
    }

    /// Ends the writing.
    ///
    /// - Parameter givingUp: Whether to discard the response.
    /// - Returns: Whether the writing was still active.
    @discardableResult
    private func end(givingUp: Bool) -> Bool {
        let handlers = state.withLock { state -> [@Sendable () -> Void]? in
            guard state.phase != .over else { return nil }
            state.phase = .over
            state.isDiscarded = givingUp
            state.waiting = Data()
            return state.takeOnRoom()
        }
        for handler in handlers ?? [] { handler() }
        return handlers != nil
    }

    // MARK: On the queues

    private func put(_ portion: Data) {
        let isWritten = !isDiscarded && part.add(portion)
        let handlers = state.withLock { state -> [@Sendable () -> Void] in
            state.unwritten -= portion.count
            return state.unwritten <= Self.limit / 4 ? state.takeOnRoom() : []
        }
        for handler in handlers { handler() }
        if !isWritten { discard() }
    }

    /// Renames the file to make it visible, and removes entries with equal selectors.
    private func publish(_ variant: Int, _ size: Int?) -> Bool {
        let (id, name) = (ObjectIdentifier(self), part.name)
        guard let size else { return false }
        folder.learn(name.key)
        // From here on, a removal of the URL removes the file before or after its renaming.
        guard folder.state.withLock({ $0.writers.contains(id, for: key.url) }),
            folder.files.rename(name.file(.part), to: name.file(.entry)) == nil
        else { return false }
        let reserved = part.takeReservation()
        let removed = folder.state.withLock { state -> [CacheFolder.Entry]? in
            state.index.release(reserved)
            guard state.writers.remove(id, for: key.url) else { return nil }
            let removed = state.removeTwins(of: name, variant: variant)
            let entry = CacheFolder.Entry(name: name, variant: variant)
            return removed + state.index.insert(entry, for: name.key, size: size)
        }
        guard let removed else { return false }
        folder.unlink(removed)
        return true
    }
}
