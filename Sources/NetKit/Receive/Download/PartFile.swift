import Foundation

/// A partial file that is open for writing.
///
/// Only its file's queue uses it.
protocol WritablePart: Sendable {
    /// The size in bytes.
    var length: Int64 { get }
    /// Removes all content.
    func truncate() throws(DownloadFailure)
    /// Moves the write position to the end.
    func seekToEnd() throws(DownloadFailure)
    /// Appends bytes.
    func write(_ data: Data) throws(DownloadFailure)
}

/// A regular file that is open for writing and locked against other writers.
///
/// Releasing the object closes the file and releases the lock.
final class PartFile: WritablePart {
    private let descriptor: Int32
    private let path: String

    /// Opens and locks the partial file.
    ///
    /// It doesn't follow a symbolic link, so that it can't overwrite another file. It doesn't wait for a pipe or a
    /// device.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - creating: Whether to create the file if it doesn't exist.
    /// - Throws: ``DownloadFailure`` if the file can't be opened or locked.
    init(_ path: String, creating: Bool) throws(DownloadFailure) {
        self.path = path
        let flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (creating ? O_CREAT : 0)
        while true {
            let descriptor = Foundation.open(path, flags, 0o666)
            guard descriptor >= 0 else {
                // Symbolic links, and pipes and sockets without a reader.
                let isOther = errno == ELOOP || errno == EMLINK || errno == ENXIO
                throw isOther
                    ? DownloadFailure(.notRegularFile, path) : DownloadFailure(errno: errno, path)
            }
            guard RegularFile.status(of: descriptor) != nil else {
                Foundation.close(descriptor)
                throw DownloadFailure(.notRegularFile, path)
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                Foundation.close(descriptor)
                throw DownloadFailure(.inUse, path)
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
        Foundation.close(descriptor)
    }

    var length: Int64 { RegularFile.status(of: descriptor).map { Int64($0.st_size) } ?? 0 }

    func truncate() throws(DownloadFailure) {
        guard length == 0 || ftruncate(descriptor, 0) == 0 else {
            throw DownloadFailure(errno: errno, path)
        }
    }

    func seekToEnd() throws(DownloadFailure) {
        guard lseek(descriptor, 0, SEEK_END) >= 0 else {
            throw DownloadFailure(errno: errno, path)
        }
    }

    func write(_ data: Data) throws(DownloadFailure) {
        if let code = writeAll(data, to: descriptor) { throw DownloadFailure(errno: code, path) }
    }

    private static func isStill(_ descriptor: Int32, at path: String) -> Bool {
        var open = stat()
        var named = stat()
        return fstat(descriptor, &open) == 0 && lstat(path, &named) == 0
            && open.st_ino == named.st_ino && open.st_dev == named.st_dev
    }
}
