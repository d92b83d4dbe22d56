import Foundation

/// The file that a jar is kept in.
struct CookieFile: Sendable {
    /// More bytes than the cookies of any jar have.
    private static let maximumLength = 64 << 20

    let path: String
    let queue: FileQueue

    /// Creates a file that need not exist.
    init(_ url: URL) throws(CookieFileError) {
        path = url.path
        // A path ends at a NUL, and is another one then.
        guard url.isFileURL, !path.isEmpty, !url.absoluteString.contains("%00") else {
            throw CookieFileError(.notRegularFile, url.path)
        }
        queue = FileQueue.of(path)
    }

    private var folder: String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// Reads the file, behind what is being written to it.
    ///
    /// - Parameter date: The current date.
    /// - Returns: The cookies; none where there is no file.
    /// - Throws: ``CookieFileError`` for a file that is none of a jar, or can't be read.
    func entries(at date: Date) throws -> [CookieStore.Entry] {
        try queue.wait {
            guard let data = try read() else { return [] }
            guard let entries = CookieDocument.entries(in: data, at: date) else {
                throw CookieFileError(.notCookies, path)
            }
            return entries
        }
    }

    /// The bytes of the file; nil without a file in a folder where one can be made.
    private func read() throws(CookieFileError) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: break
            // Links, and sockets.
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

    /// Puts a file with these cookies in the place of the one that is there; for the queue alone.
    ///
    /// Readers find the old file or the new one, whole, and its owner alone can read it.
    func write(_ entries: [CookieStore.Entry]) throws(CookieFileError) {
        // No cookie has what JSON can't write, but for its length.
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
