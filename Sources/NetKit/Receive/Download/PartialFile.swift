import Foundation

/// What there is of a file whose download did not end: `name.part` beside it, and a note of which
/// version of the resource the part belongs to.
struct PartialFile: Sendable {
    /// Where the whole file goes.
    let destination: URL
    /// Opens the part, made where there is none if the second argument says so.
    var open: @Sendable (String, Bool) throws(DownloadFailure) -> any WritablePart = {
        path,
        creating throws(DownloadFailure) in
        try PartFile(path, creating: creating)
    }

    /// Where the bytes go until they are whole.
    var part: URL { destination.appendingPathExtension("part") }
    /// Where the version is noted, as it goes into `If-Range`.
    private var note: URL { destination.appendingPathExtension("part-version") }

    /// Checks that the file can be put where it is wanted, as far as that can be told beforehand.
    func check() throws(DownloadFailure) {
        guard !destination.absoluteString.contains("%00") else {
            throw DownloadFailure(.invalidName, destination.path)
        }
        let folder = destination.deletingLastPathComponent().path
        var status = stat()
        guard destination.isFileURL, stat(folder, &status) == 0,
            status.st_mode & S_IFMT == S_IFDIR
        else { throw DownloadFailure(.folderMissing, destination.path) }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw DownloadFailure(.noPermission, destination.path)
        }
        if stat(destination.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw DownloadFailure(.isFolder, destination.path)
        }
    }

    /// How many bytes the part has and which version they are of; nil if it cannot be resumed.
    func resumable() -> (length: Int64, version: StrongValidator)? {
        var status = stat()
        // Without a note nothing is known of the part.
        guard let version = notedVersion, lstat(part.path, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG, status.st_size > 0
        else { return nil }
        return (Int64(status.st_size), version)
    }

    /// The version that was noted; nil without one that a request may be sent with.
    private var notedVersion: StrongValidator? {
        guard let (descriptor, _) = RegularFile.open(note.path, followsLinks: false) else {
            return nil
        }
        defer { close(descriptor) }
        return RegularFile.rest(of: descriptor, atMost: 8 << 10)
            .flatMap { StrongValidator(noted: String(decoding: $0, as: UTF8.self)) }
    }

    /// Notes which version a part that is begun anew belongs to.
    ///
    /// Where the bytes that arrive are not those that a range counts, or are only some of them, there
    /// is no such version, and the part will not be resumed.
    func noteVersion(of head: ResponseHead) throws(DownloadFailure) {
        unlink(note.path)  // it need not be there
        guard head.status != 206, head.headers[.contentEncoding] == nil,
            let version = StrongValidator(of: head)
        else { return }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = Foundation.open(note.path, flags, 0o666)
        guard descriptor >= 0 else { throw DownloadFailure(errno: errno, note.path) }
        defer { close(descriptor) }
        if let code = writeAll(Data(version.rawValue.utf8), to: descriptor) {
            throw DownloadFailure(errno: code, note.path)
        }
    }

    /// Forgets the part.
    ///
    /// - Throws: ``DownloadFailure/Reason/inUse`` if somebody is writing it.
    func discard() throws(DownloadFailure) {
        do {
            let file = try open(part.path, false)
            withExtendedLifetime(file) { remove() }
        } catch  where error.reason == .folderMissing {
            return  // there is none
        }
    }

    /// Removes what there is; for the one who holds the part's lock.
    func remove() {
        unlink(part.path)
        unlink(note.path)
    }

    /// Puts the part, now whole, in the file's place; for the one who holds the part's lock.
    func complete() throws(DownloadFailure) {
        guard rename(part.path, destination.path) == 0 else {
            throw DownloadFailure(errno: errno, destination.path)
        }
        unlink(note.path)
    }
}
