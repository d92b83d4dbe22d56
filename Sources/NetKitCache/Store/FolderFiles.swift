import Foundation
import NetKit
import NetKitSupport

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
        // Numbers of the size of a `long`.
        let time = [Int(clamping: nanoseconds / second), Int(nanoseconds % second)]
        return (time + time)
            .withUnsafeBytes { bytes in
                bytes.assumingMemoryBound(to: timespec.self).baseAddress.map(body) ?? 0
            }
    }
}

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

/// The name of an entry's file.
///
/// It consists of digests of its URL and partition, and a random number.
///
/// The cache never touches files with other names.
struct EntryName: Hashable, Sendable {
    /// The part of the name that the entries of a key share.
    struct Key: CacheIndexKey {
        let url: UInt64
        let partition: UInt64
    }

    /// The kinds of files.
    enum Kind: String, CaseIterable {
        /// A complete and visible entry.
        case entry
        /// An entry being written, which never outlasts its process.
        case part
    }

    /// The number of hexadecimal digits per number.
    private static let digits = 16

    let key: Key
    let random: UInt64

    /// Creates a new name.
    init(_ key: Key) {
        self.key = key
        random = .random(in: .min ... .max)
    }

    /// Parses a name, or returns nil unless it has exactly this form.
    init?(_ text: String, _ kind: Kind) {
        let suffix = ".\(kind.rawValue)"
        guard text.hasSuffix(suffix) else { return nil }
        let parts = text.utf8.dropLast(suffix.utf8.count)
            .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            .map { Self.number($0) }
        guard parts.count == 3, let url = parts[0], let partition = parts[1], let random = parts[2]
        else { return nil }
        key = Key(url: url, partition: partition)
        self.random = random
    }

    /// Returns the name of the file.
    func file(_ kind: Kind) -> String {
        let suffix = ".\(kind.rawValue)".utf8
        return String(unsafeUninitializedCapacity: 3 * Self.digits + 2 + suffix.count) { buffer in
            var count = 0
            func put(_ byte: UInt8) {
                buffer.initializeElement(at: count, to: byte)
                count += 1
            }
            for (index, number) in [key.url, key.partition, random].enumerated() {
                if index > 0 { put(UInt8(ascii: "-")) }
                for shift in stride(from: 60, through: 0, by: -4) {
                    let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 0xF
                    put(digit < 10 ? 0x30 + digit : 0x57 + digit)
                }
            }
            for byte in suffix { put(byte) }
            return count
        }
    }

    /// Parses lowercase hexadecimal digits.
    private static func number(_ text: Substring.UTF8View) -> UInt64? {
        guard text.count == digits else { return nil }
        var number: UInt64 = 0
        for byte in text {
            switch byte {
            case 0x30...0x39: number = number << 4 | UInt64(byte - 0x30)
            case 0x61...0x66: number = number << 4 | UInt64(byte - 0x57)
            default: return nil
            }
        }
        return number
    }
}

/// Creates names with a secret, so that servers can't choose URLs with equal names.
struct EntryNames: Sendable {
    /// The length of a secret in bytes.
    static let secretLength = 32
    /// The number of names to keep.
    ///
    /// Computing a digest is the slowest part of a lookup.
    private static let remembered = 1024
    /// The maximum length of a URL whose name is kept.
    private static let rememberedLength = 1024

    let secret: [UInt8]
    private let memory = Locked<[CacheKey: EntryName.Key]>([:])

    init(secret: [UInt8]) {
        self.secret = secret
    }

    /// Creates a random secret.
    static func makeSecret() -> [UInt8] { .random(secretLength) }

    /// Returns the name of a key.
    func key(of key: CacheKey) -> EntryName.Key {
        if let known = memory.withLock({ $0[key] }) { return known }
        let name = EntryName.Key(url: url(key.url), partition: digest(of: key.partition))
        guard key.url.utf8.count <= Self.rememberedLength else { return name }
        memory.withLock { memory in
            if memory.count >= Self.remembered { memory.removeAll(keepingCapacity: true) }
            memory[key] = name
        }
        return name
    }

    /// Returns the name of a URL.
    func url(_ url: String) -> UInt64 { digest(of: url) }

    private func digest(of text: String) -> UInt64 {
        UInt64(bigEndian: SHA256.digest(of: secret + text.utf8)[..<8])
    }
}
