import Foundation
import NetKit
import NetKitSupport

/// A store in the files of a folder, which outlast the process.
///
/// Stores of one folder share it. If another process uses the folder, the store keeps nothing.
final class DiskCacheStore: CacheStore {
    /// The folder, or nil if another process uses it.
    let folder: CacheFolder?
    private let path: String
    let secret: [UInt8]
    let mayHang = true

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - url: The folder, which is created if it doesn't exist.
    ///   - capacity: The maximum number of bytes of all files. 0 or less stores nothing. The newest store of a folder
    ///     sets it.
    ///   - writing: Writes bytes to a descriptor. Replaced in tests.
    /// - Throws: ``CacheFolderError`` if it isn't a folder or can't be written.
    init(
        folder url: URL,
        capacity: Int,
        writing: @escaping @Sendable (Data, Int32) -> Int32? = { writeAll($0, to: $1) }
    ) throws(CacheFolderError) {
        folder = try CacheFolderLock.open(url, capacity: capacity, writing: writing)
        secret = folder?.names.secret ?? EntryNames.makeSecret()
        path = url.path
    }

    var problem: String? {
        guard let folder else { return "\(path): another process uses the folder" }
        return folder.state.withLock { $0.isGone } ? "\(path): the folder was removed" : nil
    }

    func mayHave(_ key: CacheKey) -> Bool {
        guard let folder, folder.state.withLock({ !$0.index.isEmpty }) else { return false }
        let name = folder.names.key(of: key)
        return folder.state.withLock { $0.index.has(name) }
    }

    func find(
        _ key: CacheKey,
        where matches: @Sendable (StoredHead) -> Bool
    ) async -> StoredResponse? {
        guard let folder else { return nil }
        let name = folder.names.key(of: key)
        let names = folder.state.withLock { state in
            var names: [EntryName] = []
            state.index.forEach(of: name) { names.append($1.name) }
            return names
        }
        guard !names.isEmpty else { return nil }
        let responses = await withCheckedContinuation { continuation in
            folder.entries.add {
                continuation.resume(returning: folder.responses(for: key, names))
            }
        }
        for response in responses where matches(response.head) {
            if case .file(let body as EntryBody) = response.body, await !body.isWhole() {
                await remove(response)
                continue
            }
            use(response, in: folder)
            return response
        }
        return nil
    }

    private func use(_ response: StoredResponse, in folder: CacheFolder) {
        guard let name = EntryName(response.id, .entry) else { return }
        let time = folder.state.withLock { state -> Int64? in
            guard let slot = state.slot(of: name) else { return nil }
            state.index.use(slot)
            return state.nextUse()
        }
        guard let time else { return }
        folder.entries.add { folder.files.touch(response.id, at: time) }
    }

    func writer(for key: CacheKey, length: Int64?) -> (any CacheWriter)? {
        guard let folder else { return nil }
        let maximumSize = folder.maximumSize
        guard maximumSize > 0, length.map({ $0 <= maximumSize }) ?? true else { return nil }
        let writer = DiskCacheWriter(for: key, in: folder)
        folder.state.withLock { $0.writers.insert(writer, for: key.url) }
        return writer
    }

    func update(_ response: StoredResponse, to head: StoredHead) async {
        guard let folder, head.key == response.head.key,
            let name = EntryName(response.id, .entry)
        else { return }
        guard let metadata = EntryMetadata.bytes(of: head) else { return await remove(response) }
        await withCheckedContinuation { continuation in
            folder.entries.add {
                folder.update(CacheFolder.Entry(name, head), to: metadata)
                continuation.resume()
            }
        }
    }

    func remove(_ response: StoredResponse) async {
        guard let folder, let name = EntryName(response.id, .entry) else { return }
        await withCheckedContinuation { continuation in
            folder.entries.add {
                folder.drop(name)
                continuation.resume()
            }
        }
    }

    func remove(url: String) {
        guard let folder else { return }
        let (removed, writers) = folder.forget(url)
        for writer in writers { writer.discardNow() }
        folder.unlink(removed)
    }

    func remove(url: String, _ onEnd: @escaping @Sendable () -> Void) {
        guard let folder else { return onEnd() }
        let (removed, writers) = folder.forget(url)
        for writer in writers { writer.giveUp() }
        guard !removed.isEmpty else { return onEnd() }
        folder.entries.add {
            folder.unlink(removed)
            onEnd()
        }
    }

    func removeAll() {
        guard let folder else { return }
        let (removed, writers) = folder.state.withLock { state in
            state.removals.note(nil)
            return (state.index.removeAll(), state.writers.removeAll())
        }
        for writer in writers { writer.discardNow() }
        folder.unlink(removed)
    }

    var removals: Removals { folder?.state.withLock { $0.removals } ?? Removals() }

    var usage: (bytes: Int, evictions: Int) {
        folder?.state.withLock { ($0.index.bytes, $0.index.evictions) } ?? (0, 0)
    }
}

extension CacheFolder {
    /// Removes the entries and the writers of a URL, but not their files.
    fileprivate func forget(_ url: String) -> ([Entry], [DiskCacheWriter]) {
        let name = names.url(url)
        return state.withLock { state in
            state.removals.note(url)
            return (state.index.removeAll(of: name), state.writers.removeAll(for: url))
        }
    }

    /// Replaces the metadata of an entry in place.
    ///
    /// An interrupted write loses the entry.
    fileprivate func update(_ entry: Entry, to metadata: [UInt8]) {
        let name = entry.name
        guard state.withLock({ $0.slot(of: name) != nil }) else { return }
        learn(name.key)
        guard let opened = open(name, forWriting: true) else { return }
        let trailer = opened.file.trailer
        let end = EntryTrailer.end(
            of: metadata,
            bodyLength: trailer.bodyLength,
            bodyDigest: trailer.bodyDigest
        )
        let size = Int(trailer.bodyEnd) + end.count
        var isWritten =
            size <= maximumSize
            && lseek(opened.descriptor, off_t(trailer.bodyEnd), SEEK_SET) >= 0
            && writing(Data(end), opened.descriptor) == nil
        if isWritten, Int64(size) < opened.length {
            isWritten = ftruncate(opened.descriptor, off_t(size)) == 0
        }
        if isWritten {
            let time = state.withLock { $0.nextUse() }
            _ = FileTime.withTimes(time) { futimens(opened.descriptor, $0) }
        }
        close(opened.descriptor)
        guard isWritten else { return drop(name) }
        let removed = state.withLock { state -> [Entry] in
            guard let slot = state.slot(of: name) else { return [] }
            let removed = state.removeTwins(of: entry)
            state.index[slot] = entry
            state.index.use(slot)
            return removed + state.index.resize(slot, to: size)
        }
        unlink(removed)
    }
}
