import Foundation

/// A part that is open for writing; used on its file's queue alone.
protocol WritablePart: Sendable {
    /// How many bytes it has.
    var length: Int64 { get }
    /// Throws everything away that is in it.
    func truncate() throws(DownloadFailure)
    /// Goes to its end.
    func seekToEnd() throws(DownloadFailure)
    /// Adds bytes.
    func write(_ data: Data) throws(DownloadFailure)
}

/// A regular file that is open for writing, and that nobody else writes to at the same time.
///
/// The lock is let go and the file closed when nobody holds it any more.
final class PartFile: WritablePart {
    private let descriptor: Int32
    private let path: String

    /// Opens the part and takes its lock.
    ///
    /// A link is not followed, so that nothing is overwritten elsewhere, and a pipe or a device is not waited for.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - creating: Whether it is made where there is none.
    /// - Throws: Why not.
    init(_ path: String, creating: Bool) throws(DownloadFailure) {
        self.path = path
        let flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (creating ? O_CREAT : 0)
        while true {
            let descriptor = Foundation.open(path, flags, 0o666)
            guard descriptor >= 0 else {
                // Links, and pipes and sockets that nobody reads.
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
            // Its last user put it in its place, or threw it away, before the lock was ours.
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
