package import Foundation

/// A regular file that is open for writing and locked against other writers.
///
/// Releasing the object closes the file and releases the lock. Its operations return the `errno` value of a failure.
package final class LockedFile: Sendable {
    /// A reason why a file can't be opened or locked.
    package enum Problem: Error {
        case notRegularFile
        /// Another writer has locked it.
        case inUse
        case errno(Int32)

        /// Maps the `errno` value of a lock that can't be taken, such as where a file system has none.
        init(ofLock code: Int32) { self = code == EWOULDBLOCK ? .inUse : .errno(code) }
    }

    private let descriptor: Int32

    /// Opens and locks a file.
    ///
    /// It doesn't follow a symbolic link, so that it can't overwrite another file. It doesn't wait for a pipe or a
    /// device.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - creating: Whether to create the file if it doesn't exist.
    /// - Throws: ``Problem`` if the file can't be opened or locked.
    package init(_ path: String, creating: Bool) throws(Problem) {
        let flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (creating ? O_CREAT : 0)
        while true {
            let descriptor = Foundation.open(path, flags, 0o666)
            guard descriptor >= 0 else {
                let code = errno
                // Symbolic links, pipes without a reader, and sockets, for which Apple platforms have a code of their own.
                let isOther = [ELOOP, EMLINK, ENXIO, EOPNOTSUPP].contains(code)
                throw isOther ? .notRegularFile : .errno(code)
            }
            guard RegularFile.status(of: descriptor) != nil else {
                Foundation.close(descriptor)
                throw .notRegularFile
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let problem = Problem(ofLock: errno)
                Foundation.close(descriptor)
                throw problem
            }
            if Self.isStill(descriptor, at: path) {
                self.descriptor = descriptor
                return
            }
            // The previous writer renamed or removed the file before this one took the lock.
            Foundation.close(descriptor)
        }
    }

    deinit {
        // A child process that is just starting may still have the file open.
        flock(descriptor, LOCK_UN)
        Foundation.close(descriptor)
    }

    package var length: Int64 {
        RegularFile.status(of: descriptor).map { Int64($0.st_size) } ?? 0
    }

    /// Removes the content from an offset on, where the next bytes are written.
    package func truncate(to offset: Int64) -> Int32? {
        guard length == offset || ftruncate(descriptor, off_t(offset)) == 0 else { return errno }
        return lseek(descriptor, off_t(offset), SEEK_SET) >= 0 ? nil : errno
    }

    package func write(_ data: Data) -> Int32? {
        writeAll(data, to: descriptor)
    }

    private static func isStill(_ descriptor: Int32, at path: String) -> Bool {
        var open = stat()
        var named = stat()
        return fstat(descriptor, &open) == 0 && lstat(path, &named) == 0
            && open.st_ino == named.st_ino && open.st_dev == named.st_dev
    }
}
