import Foundation
public import NetKit
import NetKitSupport

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
            case ELOOP, EMLINK, ENXIO, EOPNOTSUPP: throw CookieFileError(.notRegularFile, path)
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
    /// Called only on the queue. If it fails, later changes aren't appended to the file as it was.
    ///
    /// Only the owner can read the new file.
    func write(_ entries: [CookieStore.Entry]) throws(CookieFileError) {
        version.withLock { $0 = nil }
        // A cookie can always be encoded, but the result may be too long.
        guard let data = try? CookieDocument(entries).data(), data.count <= Self.maximumLength
        else { throw CookieFileError(.fileSystem(EFBIG), path) }
        do throws(POSIXError) {
            let status = try RegularFile.replace(path, with: data)
            version.withLock { $0 = status.map { Version($0, data.count) } }
        } catch {
            throw CookieFileError(.fileSystem(error.code.rawValue), path)
        }
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

/// The content of a cookie file.
///
/// It is a JSON document with all cookies, followed by changes. Each change is a JSON text between RS and LF (RFC 7464),
/// neither of which a JSON text needs to contain. An incomplete last change is ignored, because its writer was killed.
/// curl's Netscape format can't hold `SameSite`, the times of creation and use, or a tab in a value. The
/// times determine the order and the eviction of cookies. Dates are exact seconds since 2001-01-01T00:00:00Z.
struct CookieDocument: Codable {
    /// Distinguishes a jar's file from other JSON.
    private enum Format: String, Codable {
        case first = "NetKit cookies 1"
    }

    /// A cookie with the jar's data about it.
    fileprivate struct Item: Codable {
        var name: String
        var value: String
        var domain: String
        var isHostOnly: Bool
        var path: String
        var expires: Date
        var isSecure: Bool
        var isHTTPOnly: Bool
        /// The attribute as spelled in cookies.
        var sameSite: String?
        var creation: Date
        var lastUse: Date
    }

    /// The identifier of a cookie that was removed.
    private struct Removed: Codable {
        var name: String
        var domain: String
        var path: String
        var isHostOnly: Bool
    }

    /// A change to the cookies before it.
    private struct Change: Codable {
        var kept: [Item]
        var removed: [Removed]
    }

    private static let separator: UInt8 = 0x1E
    private static let end = UInt8(ascii: "\n")

    private let format: Format
    private let cookies: [Item]

    /// Lists the cookies of a jar, except session cookies.
    init(_ entries: [CookieStore.Entry]) {
        format = .first
        cookies = entries.compactMap { Item($0) }
    }

    /// Encodes the content.
    func data() throws -> Data { try JSONEncoder.sorted.encode(self) }

    /// Encodes changes, to be appended to the content.
    static func data(of changes: CookieStore.Changes) throws -> Data {
        let removed = changes.removed.map {
            Removed(name: $0.name, domain: $0.domain, path: $0.path, isHostOnly: $0.isHostOnly)
        }
        let change = Change(kept: changes.kept.compactMap { Item($0) }, removed: removed)
        return try Data([separator]) + JSONEncoder.sorted.encode(change) + [end]
    }

    /// The content of a file.
    struct Content {
        var entries: [CookieStore.Entry]
        /// The length of the document before the changes, in bytes.
        let documentLength: Int
        /// Whether the last change is complete, so that others can follow it.
        let isComplete: Bool
    }

    /// Parses the output of ``data()``, followed by changes.
    ///
    /// - Parameters:
    ///   - data: The content of the file.
    ///   - date: The current date. Dates of use are limited to it.
    /// - Returns: The cookies, or nil if the content is invalid or contains a cookie that no field could set. Those of
    ///   domains that have become public suffixes since are missing.
    static func content(of data: Data, at date: Date) -> Content? {
        var parts = data.split(separator: separator, omittingEmptySubsequences: false)[...]
        let isComplete = parts.count == 1 || data.last == end
        if !isComplete { parts.removeLast() }
        // The reason why a document is invalid doesn't matter.
        guard let first = parts.popFirst(),
            let document = try? JSONDecoder().decodeBounded(Self.self, from: Data(first))
        else { return nil }
        var cookies = Replay()
        guard document.cookies.allSatisfy({ cookies.keep($0, at: date) }) else { return nil }
        for part in parts {
            guard part.last == end,
                let change = try? JSONDecoder().decodeBounded(Change.self, from: Data(part)),
                change.kept.allSatisfy({ cookies.keep($0, at: date) })
            else { return nil }
            for id in change.removed {
                cookies.remove(
                    CookieStore.ID(
                        name: id.name,
                        domain: id.domain,
                        path: id.path,
                        isHostOnly: id.isHostOnly
                    )
                )
            }
        }
        let entries = cookies.entries.compactMap { $0 }
        return Content(
            entries: entries,
            documentLength: first.count,
            isComplete: isComplete
        )
    }

    /// The cookies of a file while it is read.
    private struct Replay {
        /// The cookies in the order of the file, nil for a removed one.
        var entries: [CookieStore.Entry?] = []
        private var places: [CookieStore.ID: Int] = [:]

        /// Adds or replaces a cookie, unless its domain is now a public suffix.
        ///
        /// - Returns: Whether a field could set the cookie when it was stored.
        mutating func keep(_ item: Item, at date: Date) -> Bool {
            guard let entry = item.entry(at: date) else { return false }
            guard item.isHostOnly || !PublicSuffixes.contains(item.domain) else { return true }
            let id = CookieStore.ID(entry.cookie)
            if let place = places[id] {
                entries[place] = entry
            } else {
                places[id] = entries.count
                entries.append(entry)
            }
            return true
        }

        mutating func remove(_ id: CookieStore.ID) {
            if let place = places.removeValue(forKey: id) { entries[place] = nil }
        }
    }
}

extension CookieDocument.Item {
    fileprivate init?(_ entry: CookieStore.Entry) {
        let cookie = entry.cookie
        guard let expires = cookie.expires else { return nil }
        self.init(
            name: cookie.name,
            value: cookie.value,
            domain: cookie.domain,
            isHostOnly: cookie.isHostOnly,
            path: cookie.path,
            expires: expires,
            isSecure: cookie.isSecure,
            isHTTPOnly: cookie.isHTTPOnly,
            sameSite: cookie.sameSite?.rawValue,
            creation: entry.creation,
            lastUse: entry.lastUse
        )
    }

    /// Returns the cookie, or nil if no field could set it.
    ///
    /// It expires at most 400 days after `date`, or after its creation if that is later, because a clock may be behind.
    fileprivate func entry(at date: Date) -> CookieStore.Entry? {
        guard isPossible else { return nil }
        let creation = min(creation, .distantFuture)
        let cookie = Cookie(
            name: name,
            value: value,
            domain: domain,
            isHostOnly: isHostOnly,
            path: path,
            expires: min(expires, max(date, creation).addingTimeInterval(Cookie.maximumAge)),
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            sameSite: sameSite.flatMap { Cookie.SameSite(rawValue: $0) }
        )
        guard cookie.keepsPromises(namingPath: true) else { return nil }
        return CookieStore.Entry(cookie, creation: creation, lastUse: min(lastUse, date))
    }

    /// Whether a field could set the name, value, domain, and path.
    private var isPossible: Bool {
        let isNamed = !name.utf8.contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ";") }
        return SetCookieField.canKeep(name, value) && isNamed
            && !value.utf8.contains(UInt8(ascii: ";"))
            && [name, value, path].allSatisfy { $0.isFieldValue && $0 == $0.trimmedOfBlanks }
            && sameSite.map { Cookie.SameSite(rawValue: $0) != nil } ?? true
            && path.utf8.first == UInt8(ascii: "/") && CookieURL.isHost(domain)
    }
}

/// An error for a file that can't hold a ``CookieJar``.
public struct CookieFileError: Error, Hashable, Sendable {
    /// The reasons why a file is unusable.
    public enum Reason: Hashable, Sendable {
        /// The file is damaged or doesn't contain the cookies of a jar.
        ///
        /// It isn't changed.
        case notCookies
        /// The path isn't a regular file but, for example, a folder or a symbolic link.
        case notRegularFile
        /// The `errno` value, such as `ENOENT` for a folder that doesn't exist.
        case fileSystem(Int32)
    }

    /// The reason why the file is unusable.
    public let reason: Reason
    /// The path of the file.
    public let path: String

    init(_ reason: Reason, _ path: String) {
        self.reason = reason
        self.path = path
    }
}

extension CookieFileError: CallError {}

extension CookieFileError: DescribedCause {
    /// A one-line lowercase description with the path and the problem.
    public var description: String {
        let problem =
            switch reason {
            case .notCookies: "it is damaged, or not a cookie file"
            case .notRegularFile: "it is not a regular file"
            case .fileSystem(let code): String(cString: strerror(code))
            }
        return "can't use the cookie file \(path): \(problem)"
    }
}
