import Foundation
import NetKit

/// The file of a cookie jar.
struct CookieFile: Sendable {
    /// The maximum size of a file in bytes, more than any jar needs.
    private static let maximumLength = 64 << 20

    /// The least length of the changes, in bytes, before the file is replaced by a shorter one.
    ///
    /// With more cookies, the changes may become as long as the document before them, so that the cost per change stays
    /// the same.
    private static let keptChanges = 64 << 10

    let path: String
    let queue: FileQueue
    /// The file as the jar read or wrote it last, or nil if changes can't be appended to it.
    private let version = Locked<Version?>(nil)

    /// Creates a reference to a file, which need not exist.
    init(_ url: URL) throws(CookieFileError) {
        path = url.path
        // A path would end at a NUL.
        guard url.isFileURL, !path.isEmpty, !url.absoluteString.contains("%00") else {
            throw CookieFileError(.notRegularFile, url.path)
        }
        queue = FileQueue.of(path)
    }

    private var folder: String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// Reads the file after pending writes.
    ///
    /// - Parameter date: The current date.
    /// - Returns: The cookies, or none if there is no file.
    /// - Throws: ``CookieFileError`` if the file isn't a jar's or can't be read.
    func entries(at date: Date) throws -> [CookieStore.Entry] {
        try queue.wait {
            guard let (data, status) = try read() else { return [] }
            guard let content = CookieDocument.content(of: data, at: date) else {
                throw CookieFileError(.notCookies, path)
            }
            // Another process may have appended a change meanwhile.
            if content.isComplete, Int(status.st_size) == data.count {
                version.withLock { $0 = Version(status, content.documentLength) }
            }
            return content.entries
        }
    }

    /// Reads the file.
    ///
    /// Returns nil if it doesn't exist but can be created.
    private func read() throws(CookieFileError) -> (Data, stat)? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: break
            // Symbolic links and sockets.
            case ELOOP, EMLINK, ENXIO: throw CookieFileError(.notRegularFile, path)
            default: throw CookieFileError(.fileSystem(errno), path)
            }
            guard access(folder, W_OK | X_OK) == 0 else {
                throw CookieFileError(.fileSystem(errno), path)
            }
            return nil
        }
        defer { close(descriptor) }
        guard let status = RegularFile.status(of: descriptor) else {
            throw CookieFileError(.notRegularFile, path)
        }
        guard let data = RegularFile.rest(of: descriptor, atMost: Self.maximumLength) else {
            throw CookieFileError(.notCookies, path)
        }
        return (data, status)
    }

    /// Appends changes, if the file is still as the jar read or wrote it last.
    ///
    /// Called only on the queue.
    ///
    /// - Parameter changes: The changes.
    /// - Returns: Whether they are in the file. Otherwise, ``write(_:)`` must replace it.
    func append(_ changes: CookieStore.Changes) -> Bool {
        let known = version.withLock { version in
            defer { version = nil }
            return version
        }
        guard let known, let data = try? CookieDocument.data(of: changes) else { return false }
        let length = known.length + data.count
        let limit = known.documentLength + max(known.documentLength, Self.keptChanges)
        guard length <= min(limit, Self.maximumLength) else { return false }
        let flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = open(path, flags)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // Another process that appends at the same moment replaces the file instead.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            let status = RegularFile.status(of: descriptor),
            known == Version(status, known.documentLength),
            status.st_mode & 0o7777 == 0o600, status.st_nlink == 1
        else { return false }
        guard writeAll(data, to: descriptor) == nil else {
            // Without it, the incomplete change is ignored.
            _ = ftruncate(descriptor, off_t(known.length))
            return false
        }
        if let status = RegularFile.status(of: descriptor), Int(status.st_size) == length {
            version.withLock { $0 = Version(status, known.documentLength) }
        }
        return true
    }

    /// Whether there is a file.
    var exists: Bool { access(path, F_OK) == 0 }

    /// Replaces the file atomically.
    ///
    /// Called only on the queue.
    ///
    /// Only the owner can read the new file.
    func write(_ entries: [CookieStore.Entry]) throws(CookieFileError) {
        // A cookie can always be encoded, but the result may be too long.
        guard let data = try? CookieDocument(entries).data(), data.count <= Self.maximumLength
        else { throw CookieFileError(.fileSystem(EFBIG), path) }
        let new = "\(folder)/.netkit-cookies-\(UUID().uuidString)"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw CookieFileError(.fileSystem(errno), path) }
        var code = writeAll(data, to: descriptor)
        // Without it, the system may leave an empty file after a crash of its own.
        if code == nil, fsync(descriptor) != 0 { code = errno }
        let status = RegularFile.status(of: descriptor)
        close(descriptor)
        if code == nil, rename(new, path) != 0 { code = errno }
        guard let code else {
            return version.withLock { $0 = status.map { Version($0, data.count) } }
        }
        unlink(new)
        throw CookieFileError(.fileSystem(code), path)
    }
}

/// A state of the file that no other jar, process or person has changed.
private struct Version: Equatable {
    let length: Int
    /// The length of the document before the changes, in bytes.
    let documentLength: Int
    private let device: dev_t
    private let number: ino_t
    private let modification: Int64

    init(_ status: stat, _ documentLength: Int) {
        length = Int(status.st_size)
        self.documentLength = documentLength
        (device, number) = (status.st_dev, status.st_ino)
        modification = RegularFile.modification(of: status)
    }
}
