import Foundation
import NetKit

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
        var trims = TrimCounter(every: 32 << 20)
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
        let isTrimming = state.withLock { state -> Bool? in
            guard write(data, &state) else { return nil }
            Self.hash(data, &state)
            return state.trims.add(data.count)
        }
        if isTrimming == true { FreeMemory.giveBack() }
        return isTrimming != nil
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
            guard descriptor >= 0 else { return false }
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
