import Foundation

/// The files of an open folder, by their names in it.
struct FolderFiles: Sendable {
    private let folder: Int32

    init(_ folder: Int32) {
        self.folder = folder
    }

    /// Opens a file; a link is not followed.
    ///
    /// - Returns: The descriptor; negative for an error, with the number in `errno`.
    func open(_ name: String, _ flags: Int32) -> Int32 {
        openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    /// What is known of a file, without opening it.
    func status(of name: String) -> stat? {
        var status = stat()
        return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// Removes what has a name; a folder stays.
    func unlink(_ name: String) {
        unlinkat(folder, name, 0)
    }

    /// Gives a file another name, in the place of what has it.
    ///
    /// - Returns: The system's error number; nil if it worked.
    func rename(_ name: String, to other: String) -> Int32? {
        renameat(folder, name, folder, other) == 0 ? nil : errno
    }

    /// Says when a file was last used.
    func touch(_ name: String, at nanoseconds: Int64) {
        _ = FileTime.withTimes(nanoseconds) {
            utimensat(folder, name, $0, AT_SYMLINK_NOFOLLOW)
        }
    }

    /// The names of everything in the folder.
    var names: [String] {
        let descriptor = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        guard let directory = fdopendir(descriptor),
            let offset = MemoryLayout<dirent>.offset(of: \.d_name)
        else {
            close(descriptor)
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = UnsafeRawPointer(entry).advanced(by: offset)
            names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
        }
        return names
    }
}

/// When files were used, in nanoseconds since 1970.
enum FileTime {
    private static let second: Int64 = 1_000_000_000

    static var now: Int64 {
        // Until 2262, whatever the clock says.
        Int64(min(max(Date().timeIntervalSince1970, 0), 9e9) * 1e9)
    }

    /// When a file was last used.
    static func lastUse(of status: stat) -> Int64 {
        #if canImport(Darwin)
        nanoseconds(status.st_mtimespec)
        #else
        nanoseconds(status.st_mtim)
        #endif
    }

    /// Runs `body` with what the system takes: the times of the last access and of the last change.
    static func withTimes(
        _ nanoseconds: Int64,
        _ body: (UnsafePointer<timespec>) -> Int32
    ) -> Int32 {
        let time = [nanoseconds / second, nanoseconds % second]
        return (time + time)
            .withUnsafeBytes { bytes in
                bytes.assumingMemoryBound(to: timespec.self).baseAddress.map(body) ?? 0
            }
    }

    /// The times of a file may be any.
    ///
    /// By its bytes, two numbers of 64 bits: in an optimized build the names of its members belong to a module that can't
    /// be imported.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        withUnsafeBytes(of: time) { bytes in
            guard bytes.count == 16 else { return 0 }
            let (seconds, overflows) = bytes.load(as: Int64.self)
                .multipliedReportingOverflow(by: second)
            guard !overflows, seconds >= 0 else { return 0 }
            let fraction = bytes.load(fromByteOffset: 8, as: Int64.self)
            return seconds.addingReportingOverflow(fraction).partialValue
        }
    }
}
