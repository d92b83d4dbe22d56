import Foundation
import NetKit
import NetKitSupport

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

    func commit(_ head: StoredHead, at date: Date) async -> CommitResult {
        let rest = state.withLock { state -> Data? in
            guard state.phase == .writing else { return nil }
            state.phase = .committing
            defer { state.waiting = Data() }
            return state.waiting
        }
        guard let rest else { return .refused }
        guard head.key == key, let metadata = EntryMetadata.bytes(of: head) else {
            discard()
            return .refused
        }
        let result = await withCheckedContinuation { continuation in
            folder.parts.add {
                let size = self.isDiscarded ? nil : self.part.finish(rest, metadata: metadata)
                self.folder.entries.add {
                    continuation.resume(returning: self.publish(head, size, at: date))
                }
            }
        }
        if result == .stored { end(givingUp: false) } else { discard() }
        return result
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

    /// Renames the file to make it visible, and removes entries with equal selectors, unless one was requested later.
    private func publish(_ head: StoredHead, _ size: Int?, at date: Date) -> CommitResult {
        let (id, name) = (ObjectIdentifier(self), part.name)
        guard let size else { return .refused }
        folder.learn(name.key)
        let entry = CacheFolder.Entry(name, head)
        // From here on, a removal of the URL removes the file before or after its renaming.
        let (isCurrent, newer) = folder.state.withLock { state in
            let newer = state.index.slot(of: name.key) { other in
                other.variant == entry.variant
                    && head.isOlder(thanOneRequestedAt: other.requestDate, now: date)
            }
            return (state.writers.contains(id, for: key.url), newer)
        }
        guard isCurrent else { return .refused }
        guard newer == nil else { return .outdated }
        guard folder.files.rename(name.file(.part), to: name.file(.entry)) == nil else {
            return .refused
        }
        let reserved = part.takeReservation()
        let removed = folder.state.withLock { state -> [CacheFolder.Entry]? in
            state.index.release(reserved)
            guard state.writers.remove(id, for: key.url) else { return nil }
            let removed = state.removeTwins(of: entry)
            return removed + state.index.insert(entry, for: name.key, size: size)
        }
        guard let removed else { return .refused }
        folder.unlink(removed)
        return .stored
    }
}

/// The file of an entry being written.
///
/// Only the queue of the parts uses it, except for ``unlink()``.
final class PartialEntry: Sendable {
    private struct State {
        /// Nil before the first byte and after closing.
        var descriptor: Int32?
        var isOver = false
        var hash = XXH64()
        var bodyLength: Int64 = 0
        /// The size of the file, which is reserved in the folder.
        var size = 0
    }

    let name: EntryName
    private let folder: CacheFolder
    private let state = Locked(State())

    init(_ name: EntryName, in folder: CacheFolder) {
        self.name = name
        self.folder = folder
    }

    deinit { close() }

    /// Writes bytes of the body.
    ///
    /// - Parameter data: The bytes.
    /// - Returns: Whether they were written.
    func add(_ data: Data) -> Bool {
        state.withLock { state in
            guard write(data, &state) else { return false }
            Self.hash(data, &state)
            return true
        }
    }

    /// Writes the last bytes of the body and the end of the file.
    ///
    /// - Parameters:
    ///   - data: The last bytes of the body.
    ///   - metadata: The metadata.
    /// - Returns: The size of the file, or nil if it can't be written or is too large.
    func finish(_ data: Data, metadata: [UInt8]) -> Int? {
        let maximumSize = folder.maximumSize
        let size = state.withLock { state -> Int? in
            Self.hash(data, &state)
            let end = EntryTrailer.end(
                of: metadata,
                bodyLength: state.bodyLength,
                bodyDigest: state.hash.digest
            )
            let length = Int64(EntryTrailer.openingLength + end.count) + state.bodyLength
            guard length <= maximumSize, write(data + end, &state),
                let descriptor = state.descriptor
            else { return nil }
            let time = folder.state.withLock { $0.nextUse() }
            _ = FileTime.withTimes(time) { futimens(descriptor, $0) }
            return state.size
        }
        close()
        return size
    }

    private static func hash(_ data: Data, _ state: inout State) {
        for region in data.regions { region.withUnsafeBytes { state.hash.add($0) } }
        state.bodyLength += Int64(data.count)
    }

    /// Reserves room and writes bytes.
    ///
    /// Opens the file on the first call.
    private func write(_ data: Data, _ state: inout State) -> Bool {
        guard !state.isOver else { return false }
        var bytes = data
        if state.descriptor == nil {
            let descriptor = folder.files.open(name.file(.part), O_WRONLY | O_CREAT | O_EXCL)
            guard descriptor >= 0 else {
                if errno == ENOENT { folder.state.withLock { $0.isGone = true } }
                return false
            }
            state.descriptor = descriptor
            var opening: [UInt8] = []
            opening.appendNumber(EntryTrailer.opening)
            bytes = opening + data
        }
        guard let descriptor = state.descriptor, reserve(bytes.count) else { return false }
        state.size += bytes.count
        return folder.writing(bytes, descriptor) == nil
    }

    private func reserve(_ count: Int) -> Bool {
        guard let removed = folder.state.withLock({ $0.index.reserve(count) }) else { return false }
        folder.unlink(removed)
        return true
    }

    /// Closes the file and stops writing.
    private func close() {
        state.withLock { state in
            state.isOver = true
            if let descriptor = state.descriptor { Foundation.close(descriptor) }
            state.descriptor = nil
        }
    }

    /// Returns the reserved size, which the caller must release.
    func takeReservation() -> Int {
        state.withLock { state in
            defer { state.size = 0 }
            return state.size
        }
    }

    /// Closes and removes the file.
    func discard() {
        close()
        unlink()
        let size = takeReservation()
        folder.state.withLock { $0.index.release(size) }
    }

    /// Removes the file, even if it is already visible.
    ///
    /// Safe to call from any thread.
    ///
    /// A concurrent renaming to the visible name fails, or happens before the removal.
    func unlink() {
        folder.files.unlink(name.file(.part))
        folder.files.unlink(name.file(.entry))
    }
}
