import Foundation

/// The file of a cookie jar.
struct CookieFile: Sendable {
    /// The maximum size of a file in bytes, more than any jar needs.
    private static let maximumLength = 64 << 20

    let path: String
    let queue: FileQueue

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
            guard let data = try read() else { return [] }
            guard let entries = CookieDocument.entries(in: data, at: date) else {
                throw CookieFileError(.notCookies, path)
            }
            return entries
        }
    }

    /// Reads the file.
    ///
    /// Returns nil if it doesn't exist but can be created.
    private func read() throws(CookieFileError) -> Data? {
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
        guard RegularFile.status(of: descriptor) != nil else {
            throw CookieFileError(.notRegularFile, path)
        }
        guard let data = RegularFile.rest(of: descriptor, atMost: Self.maximumLength) else {
            throw CookieFileError(.notCookies, path)
        }
        return data
    }

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
        close(descriptor)
        if code == nil, rename(new, path) != 0 { code = errno }
        guard let code else { return }
        unlink(new)
        throw CookieFileError(.fileSystem(code), path)
    }
}
