import Foundation
import NetKit

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
