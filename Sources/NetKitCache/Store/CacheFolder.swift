import Foundation
import NetKit

/// An open cache folder with the index of its entries.
///
/// A process has one per folder.
///
/// It refers to the same folder even if its path changes. File names are relative to the folder, and links aren't
/// followed.
final class CacheFolder: Sendable {
    struct Entry: Sendable {
        let name: EntryName
        /// Identifies an entry's selectors among those of its key.
        ///
        /// Nil if it hasn't been read yet.
        var variant: Int?
    }

    struct State {
        var index: CacheIndex<EntryName.Key, Entry>
        var writers = LiveWriters<DiskCacheWriter>()
        /// The time of the latest use in nanoseconds since 1970.
        ///
        /// All uses have different times.
        private var lastUse: Int64 = 0

        init(capacity: Int) {
            index = CacheIndex(capacity: capacity)
        }

        /// Returns the time of a new use.
        mutating func nextUse() -> Int64 {
            lastUse = max(lastUse + 1, FileTime.now)
            return lastUse
        }

        /// Removes the other entries of a key with equal selectors.
        mutating func removeTwins(of name: EntryName, variant: Int) -> [Entry] {
            var removed: [Entry] = []
            while let twin = index.slot(
                of: name.key,
                where: { $0.variant == variant && $0.name != name }
            ) {
                if let entry = index.remove(twin) { removed.append(entry) }
            }
            return removed
        }

        func slot(of name: EntryName) -> Int? {
            index.slot(of: name.key) { $0.name == name }
        }
    }

    let path: String
    let names: EntryNames
    /// Writes bytes at a descriptor's position and returns the `errno` value of a failure.
    ///
    /// Tests replace it.
    let writing: @Sendable (Data, Int32) -> Int32?
    /// The queue for work on visible entries.
    let entries: FileQueue
    /// The queue for writing invisible parts.
    let parts: FileQueue
    let state: Locked<State>
    private let descriptor: Int32
    private let id: CacheFolderLock.ID

    /// Takes ownership of a locked folder's descriptor.
    ///
    /// - Throws: ``CacheFolderError`` if its secret can be neither read nor created.
    init(
        _ descriptor: Int32,
        _ id: CacheFolderLock.ID,
        path: String,
        capacity: Int,
        writing: @escaping @Sendable (Data, Int32) -> Int32?
    ) throws(CacheFolderError) {
        let files = FolderFiles(descriptor)
        let (secret, isNew) = try CacheSecret.read(files, path)
        self.descriptor = descriptor
        self.id = id
        self.path = path
        self.writing = writing
        names = EntryNames(secret: secret)
        // The names don't depend on the path, so that pending work of an earlier owner runs first.
        entries = FileQueue.of("cache \(id.device) \(id.node) entries")
        parts = FileQueue.of("cache \(id.device) \(id.node) parts")
        state = Locked(State(capacity: capacity))
        let found = FolderScan.scan(files, keepsEntries: !isNew, capacity: capacity)
        let removed = state.withLock { state in
            found.flatMap { name, size in
                state.index.insert(Entry(name: name), for: name.key, size: size)
            }
        }
        unlink(removed)
    }

    deinit {
        CacheFolderLock.release(id, of: ObjectIdentifier(self))
        close(descriptor)
    }

    var files: FolderFiles { FolderFiles(descriptor) }

    /// The maximum size of an entry in bytes: half the capacity.
    var maximumSize: Int { state.withLock { $0.index.capacity / 2 } }

    func resize(capacity: Int) {
        unlink(state.withLock { $0.index.resize(capacity: capacity) })
    }

    func unlink(_ removed: [Entry]) {
        for entry in removed { files.unlink(entry.name.file(.entry)) }
    }

    /// Removes an entry that is damaged or obsolete.
    func drop(_ name: EntryName) {
        state.withLock { state in
            if let slot = state.slot(of: name) { state.index.remove(slot) }
        }
        files.unlink(name.file(.entry))
    }
}

// MARK: - On the queue of the entries

extension CacheFolder {
    /// An opened file.
    ///
    /// For a long body, the descriptor stays open, and the receiver closes it.
    struct Opened {
        let descriptor: Int32
        let length: Int64
        let file: EntryFile
    }

    /// Opens an entry and reads its trailer.
    ///
    /// Removes it if it is damaged or not a cache file.
    func open(_ name: EntryName, forWriting: Bool = false) -> Opened? {
        let mode = forWriting ? O_RDWR : O_RDONLY
        let descriptor = files.open(name.file(.entry), mode | O_NONBLOCK)
        guard descriptor >= 0 else {
            // A lack of descriptors or memory isn't the entry's fault.
            let isPassing = [EMFILE, ENFILE, ENOMEM, EINTR].contains(errno)
            if !isPassing { drop(name) }
            return nil
        }
        guard let length = RegularFile.status(of: descriptor).map({ Int64($0.st_size) }),
            let file = EntryFile(descriptor, length: length)
        else {
            close(descriptor)
            drop(name)
            return nil
        }
        return Opened(descriptor: descriptor, length: length, file: file)
    }

    /// Reads the responses for a key, latest first.
    func responses(for key: CacheKey, _ names: [EntryName]) -> [StoredResponse] {
        var found: [StoredResponse] = []
        for name in names {
            guard let opened = open(name) else { continue }
            note(name, opened.file.head)
            var body: StoredBody?
            if opened.file.head.key != key {
                close(opened.descriptor)
            } else if let data = opened.file.body {
                close(opened.descriptor)
                body = .data(data)
            } else {
                let path = "\(path)/\(name.file(.entry))"
                body = .file(EntryBody(opened.descriptor, opened.file.trailer, path: path))
            }
            guard let body else { continue }
            let id = name.file(.entry)
            found.append(StoredResponse(id: id, head: opened.file.head, body: body))
        }
        guard found.count > 1 else { return found }
        // Of responses with equal dates, the newest entry comes first.
        return found.reversed().sorted { $0.head.responseDate > $1.head.responseDate }
    }

    /// Records the variant of an entry.
    private func note(_ name: EntryName, _ head: StoredHead) {
        let variant = head.variant
        state.withLock { state in
            guard let slot = state.slot(of: name), var entry = state.index[slot] else { return }
            entry.variant = variant
            state.index[slot] = entry
        }
    }

    /// Reads the entries of a key whose variant isn't known yet.
    func learn(_ key: EntryName.Key) {
        let unknown = state.withLock { state in
            var names: [EntryName] = []
            state.index.forEach(of: key) { if $1.variant == nil { names.append($1.name) } }
            return names
        }
        for name in unknown {
            guard let opened = open(name) else { continue }
            close(opened.descriptor)
            note(name, opened.file.head)
        }
    }
}

extension StoredHead {
    /// A hash that is equal for equal keys and selectors within this process.
    var variant: Int {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(selectors)
        return hasher.finalize()
    }
}
