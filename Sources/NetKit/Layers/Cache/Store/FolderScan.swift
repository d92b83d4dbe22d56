import Foundation

/// Finds out what is in a folder, from names, lengths and times alone.
enum FolderScan {
    /// The entries, the one that was used last at the end; removes what is of no use.
    ///
    /// - Parameters:
    ///   - files: The folder.
    ///   - keepsEntries: Whether the names of entries still mean something.
    ///   - capacity: Longer entries are removed.
    /// - Returns: The entries that are left.
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
            let lastUse = FileTime.lastUse(of: status)
            // A time to come says nothing.
            found.append((name, size, lastUse <= now ? lastUse : 0))
        }
        return found.sorted { $0.lastUse < $1.lastUse }.map { ($0.name, $0.size) }
    }
}

/// The secret of a folder, which its names are made with.
enum CacheSecret {
    private static let file = "key"

    /// Reads the secret, or makes one where there is none that is whole.
    ///
    /// - Parameters:
    ///   - files: The folder.
    ///   - path: The folder's path.
    /// - Returns: The secret, and whether it is new.
    /// - Throws: ``CacheFolderError`` if it can't be written.
    static func read(
        _ files: FolderFiles,
        _ path: String
    ) throws(CacheFolderError) -> (secret: [UInt8], isNew: Bool) {
        if let secret = known(files) { return (secret, false) }
        let secret = EntryNames.makeSecret()
        // Its name is that of a part: removed at the next start if this ends here.
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
