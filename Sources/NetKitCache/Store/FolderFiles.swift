import Foundation
import NetKit

/// The files of an open folder, by name.
struct FolderFiles: Sendable {
    private let folder: Int32

    init(_ folder: Int32) {
        self.folder = folder
    }

    /// Opens a file without following a link.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - flags: The flags for `open`.
    /// - Returns: The descriptor, or a negative number with the error in `errno`.
    func open(_ name: String, _ flags: Int32) -> Int32 {
        openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    /// Returns the status of a file without opening it.
    func status(of name: String) -> stat? {
        var status = stat()
        return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// Removes a file.
    ///
    /// Folders aren't removed.
    func unlink(_ name: String) {
        unlinkat(folder, name, 0)
    }

    /// Renames a file, and replaces an existing one.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - other: The new name.
    /// - Returns: The `errno` value of the failure, or nil on success.
    func rename(_ name: String, to other: String) -> Int32? {
        renameat(folder, name, folder, other) == 0 ? nil : errno
    }

    /// Sets the time of a file's last use.
    func touch(_ name: String, at nanoseconds: Int64) {
        _ = FileTime.withTimes(nanoseconds) {
            utimensat(folder, name, $0, AT_SYMLINK_NOFOLLOW)
        }
    }

    /// The names of all items in the folder.
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

/// The times of files' last use, in nanoseconds since 1970.
enum FileTime {
    private static let second: Int64 = 1_000_000_000

    static var now: Int64 {
        // Clamped to the year 2255, whatever the clock says.
        Int64(min(max(Date().timeIntervalSince1970, 0), 9e9) * 1e9)
    }

    /// Calls `body` with the access and modification times in the system's form.
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
}
