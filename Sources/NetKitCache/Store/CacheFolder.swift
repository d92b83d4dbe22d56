import Foundation
public import NetKit
import NetKitSupport

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
        let variant: Int?
        /// The time when its request was sent, or nil if it hasn't been read yet.
        let requestDate: Date?

        init(_ name: EntryName, _ head: StoredHead? = nil) {
            self.name = name
            variant = head?.variant
            requestDate = head?.requestDate
        }
    }

    struct State {
        var index: CacheIndex<EntryName.Key, Entry>
        var writers = LiveWriters<DiskCacheWriter>()
        var removals = Removals()
        /// Whether the folder itself was removed.
        var isGone = false
        /// The time of the latest use in nanoseconds since 1970.
        ///
        /// All uses have different times.
        private var lastUse: Int64 = 0

        init(capacity: Int) {
            // A file takes at least a block of the disk.
            index = CacheIndex(capacity: capacity, block: 4_096)
        }

        /// Returns the time of a new use.
        mutating func nextUse() -> Int64 {
            lastUse = max(lastUse + 1, FileTime.now)
            return lastUse
        }

        /// Removes the other entries of a key with equal selectors.
        mutating func removeTwins(of entry: Entry) -> [Entry] {
            var removed: [Entry] = []
            while let twin = index.slot(
                of: entry.name.key,
                where: { $0.variant == entry.variant && $0.name != entry.name }
            ) {
                if let other = index.remove(twin) { removed.append(other) }
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
                state.index.insert(Entry(name), for: name.key, size: size)
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

    /// Records the variant and the date of an entry.
    private func note(_ name: EntryName, _ head: StoredHead) {
        let entry = Entry(name, head)
        state.withLock { state in
            if let slot = state.slot(of: name) { state.index[slot] = entry }
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

/// An error for a folder that can't hold a cache.
public struct CacheFolderError: Error, Hashable, Sendable {
    /// The path of the folder.
    public let path: String
    /// The `errno` value, which is `ENOTDIR` for a URL that can't be a folder.
    public let code: Int32

    init(_ code: Int32, _ path: String) {
        self.path = path
        self.code = code
    }
}

extension CacheFolderError: CallError {}

extension CacheFolderError: DescribedCause {
    /// A one-line lowercase description with the path and the problem.
    public var description: String {
        "can't use the cache folder \(path): \(String(cString: strerror(code)))"
    }
}

/// Ensures that only one process uses a folder, and opens it only once.
enum CacheFolderLock {
    /// Identifies a folder independently of its path.
    struct ID: Hashable, Sendable {
        let device: UInt64
        let node: UInt64
    }

    private struct Owner: Sendable {
        weak var folder: CacheFolder?
        /// Identifies the folder without retaining it.
        let id: ObjectIdentifier
        /// The locked file, which passes to the next owner.
        ///
        /// That one may start before the last is gone.
        let lock: Int32
    }

    private static let owners = Locked<[ID: Owner]>([:])
    private static let file = "lock"

    /// Opens a folder, or returns the one already open in this process.
    ///
    /// - Parameters:
    ///   - url: The folder, which is created if it doesn't exist.
    ///   - capacity: The maximum number of bytes to keep.
    ///   - writing: Writes bytes to a descriptor.
    /// - Returns: The folder, or nil if another process uses it.
    /// - Throws: ``CacheFolderError`` if it isn't a folder or can't be written.
    static func open(
        _ url: URL,
        capacity: Int,
        writing: @escaping @Sendable (Data, Int32) -> Int32?
    ) throws(CacheFolderError) -> CacheFolder? {
        let path = url.path
        // A path would end at a NUL.
        guard url.isFileURL, !path.isEmpty, !path.utf8.contains(0),
            !url.absoluteString.contains("%00")
        else { throw CacheFolderError(ENOTDIR, path) }
        let descriptor = try directory(path)
        var status = stat()
        guard fstat(descriptor, &status) == 0, faccessat(descriptor, ".", W_OK | X_OK, 0) == 0
        else {
            let code = errno
            close(descriptor)
            throw CacheFolderError(code, path)
        }
        let id = ID(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            node: UInt64(truncatingIfNeeded: status.st_ino)
        )
        let opened = owners.withLock { owners in
            take(descriptor, id, path: path, capacity: capacity, writing, from: &owners)
        }
        switch opened {
        case .isNew(let folder): return folder
        case .isKnown(let folder):
            close(descriptor)
            folder.resize(capacity: capacity)
            return folder
        case .isTaken:
            close(descriptor)
            return nil
        case .failed(let error):
            close(descriptor)
            throw error
        }
    }

    private enum Opened: Sendable {
        case isNew(CacheFolder)
        case isKnown(CacheFolder)
        /// Another process uses the folder.
        case isTaken
        case failed(CacheFolderError)
    }

    /// Returns the open folder of this process, or opens it.
    ///
    /// Called under the lock.
    private static func take(
        _ descriptor: Int32,
        _ id: ID,
        path: String,
        capacity: Int,
        _ writing: @escaping @Sendable (Data, Int32) -> Int32?,
        from owners: inout [ID: Owner]
    ) -> Opened {
        // Bound first, because a debug build of Swift 6.3 reads garbage when optional chaining leads to a weak
        // reference beside other fields.
        let owner = owners[id]
        if let owner, let folder = owner.folder { return .isKnown(folder) }
        do throws(CacheFolderError) {
            var lock = owner?.lock
            if lock == nil { lock = try takeLock(FolderFiles(descriptor), path) }
            guard let lock else { return .isTaken }
            do throws(CacheFolderError) {
                let folder = try CacheFolder(
                    descriptor,
                    id,
                    path: path,
                    capacity: capacity,
                    writing: writing
                )
                owners[id] = Owner(folder: folder, id: ObjectIdentifier(folder), lock: lock)
                return .isNew(folder)
            } catch {
                if owner == nil { close(lock) }
                throw error
            }
        } catch {
            return .failed(error)
        }
    }

    /// Opens a folder, and creates it with its parents if they don't exist.
    private static func directory(_ path: String) throws(CacheFolderError) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        var descriptor = Foundation.open(path, flags)
        var code = errno
        if descriptor < 0, code == ENOENT {
            var made = path.hasPrefix("/") ? "/" : ""
            for component in path.split(separator: "/") {
                made += component
                if mkdir(made, 0o700) != 0, errno != EEXIST { code = errno }
                made += "/"
            }
            descriptor = Foundation.open(path, flags)
        }
        guard descriptor >= 0 else { throw CacheFolderError(code, path) }
        return descriptor
    }

    /// Takes the lock, or returns nil if another process has it.
    private static func takeLock(
        _ files: FolderFiles,
        _ path: String
    ) throws(CacheFolderError) -> Int32? {
        let descriptor = files.open(file, O_RDWR | O_CREAT | O_NONBLOCK)
        guard descriptor >= 0 else { throw CacheFolderError(errno, path) }
        if RegularFile.status(of: descriptor) != nil {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        } else {
            errno = ENOTSUP
        }
        let code = errno
        close(descriptor)
        guard code == EWOULDBLOCK else { throw CacheFolderError(code, path) }
        return nil
    }

    /// Releases the lock with its last owner.
    static func release(_ id: ID, of folder: ObjectIdentifier) {
        owners.withLock { owners in
            guard let owner = owners[id], owner.id == folder else { return }
            owners[id] = nil
            // A child process that is just starting may still have the file open.
            flock(owner.lock, LOCK_UN)
            close(owner.lock)
        }
    }
}
