import Foundation
import NetKit

/// Scans a folder by names, sizes, and times only.
enum FolderScan {
    /// Returns the entries with the most recently used last, and removes useless files.
    ///
    /// - Parameters:
    ///   - files: The files of the folder.
    ///   - keepsEntries: Whether the names of existing entries are still valid.
    ///   - capacity: The maximum size of an entry. Larger ones are removed.
    /// - Returns: The remaining entries.
    static func scan(
        _ files: FolderFiles,
        keepsEntries: Bool,
        capacity: Int
    ) -> [(name: EntryName, size: Int)] {
        let now = FileTime.now
        var found: [(name: EntryName, size: Int, lastUse: Int64)] = []
        for file in files.names {
            guard let name = EntryName(file, .entry), keepsEntries,
                let status = files.status(of: file), status.st_mode & S_IFMT == S_IFREG,
                let size = Int(exactly: status.st_size), size <= capacity
            else {
                let isOurs = EntryName.Kind.allCases.contains { EntryName(file, $0) != nil }
                if isOurs { files.unlink(file) }
                continue
            }
            let lastUse = RegularFile.modification(of: status)
            // A time in the future is ignored.
            found.append((name, size, lastUse <= now ? lastUse : 0))
        }
        return found.sorted { $0.lastUse < $1.lastUse }.map { ($0.name, $0.size) }
    }
}

/// The secret of a folder, which keys the names of its files.
enum CacheSecret {
    private static let file = "key"

    /// Reads the secret, or creates one if there is no intact one.
    ///
    /// - Parameters:
    ///   - files: The files of the folder.
    ///   - path: The path of the folder.
    /// - Returns: The secret, and whether it is new.
    /// - Throws: ``CacheFolderError`` if the secret can't be written.
    static func read(
        _ files: FolderFiles,
        _ path: String
    ) throws(CacheFolderError) -> (secret: [UInt8], isNew: Bool) {
        if let secret = known(files) { return (secret, false) }
        let secret = EntryNames.makeSecret()
        // It has the name of a part, so that an interrupted write is removed at the next start.
        let part = EntryName(EntryName.Key(url: 0, partition: 0)).file(.part)
        let descriptor = files.open(part, O_WRONLY | O_CREAT | O_EXCL)
        guard descriptor >= 0 else { throw CacheFolderError(errno, path) }
        var code = writeAll(Data(secret), to: descriptor)
        close(descriptor)
        if code == nil { code = files.rename(part, to: file) }
        guard let code else { return (secret, true) }
        files.unlink(part)
        throw CacheFolderError(code, path)
    }

    private static func known(_ files: FolderFiles) -> [UInt8]? {
        let descriptor = files.open(file, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard RegularFile.status(of: descriptor) != nil,
            let secret = RegularFile.rest(of: descriptor, atMost: EntryNames.secretLength),
            secret.count == EntryNames.secretLength
        else { return nil }
        return Array(secret)
    }
}
