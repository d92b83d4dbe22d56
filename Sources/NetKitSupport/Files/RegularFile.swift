package import Foundation

/// Access to regular files that never blocks on a pipe, a device or a socket.
package enum RegularFile {
    /// Returns the status of an open file, or nil if it isn't a regular file.
    package static func status(of descriptor: Int32) -> stat? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return status
    }

    /// Returns the time of a file's last modification, in nanoseconds since 1970.
    package static func modification(of status: stat) -> Int64 {
        #if canImport(Darwin)
        nanoseconds(status.st_mtimespec)
        #else
        nanoseconds(status.st_mtim)
        #endif
    }

    /// Converts a file's time, which may be arbitrary.
    ///
    /// It reads the bytes as two numbers of the size of a `long`. If a module is compiled as a whole, the member names
    /// belong to a module that can't be imported.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        withUnsafeBytes(of: time) { bytes in
            let size = MemoryLayout<Int>.size
            guard bytes.count == 2 * size else { return 0 }
            let (seconds, overflows) = Int64(bytes.load(as: Int.self))
                .multipliedReportingOverflow(by: 1_000_000_000)
            guard !overflows, seconds >= 0 else { return 0 }
            let fraction = Int64(bytes.load(fromByteOffset: size, as: Int.self))
            return seconds.addingReportingOverflow(fraction).partialValue
        }
    }

    /// Opens a file for reading.
    ///
    /// - Parameters:
    ///   - path: The path. One that contains NUL, where the system would cut it off, is refused.
    ///   - followsLinks: Whether to follow a symbolic link at the end of the path.
    /// - Returns: The descriptor, which the caller must close, and the file's length.
    /// - Throws: ``Problem`` if the file isn't a readable regular file.
    package static func open(
        _ path: String,
        followsLinks: Bool
    ) throws(Problem) -> (descriptor: Int32, length: Int64) {
        guard !path.utf8.contains(0) else { throw Problem(words: "a path can't contain NUL") }
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = Foundation.open(path, flags)
        guard descriptor >= 0 else { throw Problem(errno: errno) }
        guard let length = status(of: descriptor)?.st_size else {
            close(descriptor)
            throw Problem(words: "it is not a regular file")
        }
        return (descriptor, Int64(length))
    }

    /// A reason why a file can't be read, in the words of the operating system if it has any.
    package struct Problem: Error {
        package let words: String

        init(words: String) {
            self.words = words
        }

        init(errno code: Int32) {
            words = String(cString: strerror(code))
        }
    }

    /// Reads bytes at a descriptor's position.
    ///
    /// - Returns: The number of bytes read, or a negative number for an error.
    package static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int
    {
        var count = 0
        repeat {
            count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        } while count < 0 && errno == EINTR
        return count
    }

    /// Reads the rest of a file, from a descriptor's position.
    ///
    /// - Returns: The bytes, or nil if there are more than `limit` or they can't be read.
    package static func rest(of descriptor: Int32, atMost limit: Int) -> Data? {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while data.count <= limit {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, into: $0) }
            guard count > 0 else { return count == 0 ? data : nil }
            data.append(contentsOf: buffer[..<count])
        }
        return nil
    }
}

extension RegularFile {
    /// The maximum size of a file that reports a length of 0.
    private static let unannounced = 1 << 20

    /// Returns the length of a file, and the content of one that reports a length of 0, as those in `/proc` do.
    ///
    /// - Throws: ``Problem`` if the file isn't a readable regular file, or has no length and more than 1 MiB.
    package static func measure(_ path: String) throws(Problem) -> (length: Int64, content: Data) {
        let (descriptor, length) = try open(path, followsLinks: true)
        defer { close(descriptor) }
        guard length == 0 else { return (length, Data()) }
        guard let content = rest(of: descriptor, atMost: unannounced) else {
            throw Problem(words: "it reports no length, and is larger than 1 MiB")
        }
        return (0, content)
    }

    /// Returns the content of a file that isn't a link, or nil if it has more than `limit` bytes or can't be read.
    package static func content(of path: String, atMost limit: Int) -> Data? {
        guard let (descriptor, _) = try? open(path, followsLinks: false) else { return nil }
        defer { close(descriptor) }
        return rest(of: descriptor, atMost: limit)
    }

    /// Creates a file that doesn't exist yet.
    ///
    /// - Returns: The `errno` value of the failure, or nil on success.
    package static func create(_ path: String, with content: Data) -> Int32? {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = Foundation.open(path, flags, 0o666)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        return writeAll(content, to: descriptor)
    }

    /// Replaces a file in one step by a new one, which only its owner can read.
    ///
    /// - Returns: The status of the new file.
    /// - Throws: The system's error. The file is then as it was.
    package static func replace(_ path: String, with content: Data) throws(POSIXError) -> stat? {
        guard !path.utf8.contains(0) else { throw POSIXError(.EINVAL) }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let new = "\(folder)/.netkit-\(UUID().uuidString)"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let descriptor = Foundation.open(new, flags, 0o600)
        guard descriptor >= 0 else { throw error(errno) }
        var code = writeAll(content, to: descriptor)
        // Without it, the system may leave an empty file after a crash of its own.
        if code == nil, fsync(descriptor) != 0 { code = errno }
        let status = status(of: descriptor)
        close(descriptor)
        if code == nil, rename(new, path) != 0 { code = errno }
        guard let code else { return status }
        unlink(new)
        throw error(code)
    }

    private static func error(_ code: Int32) -> POSIXError {
        POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }

    /// A part of a file, which is read once from its first byte to its last.
    package final class Part {
        private var descriptor: Int32?
        private var remaining: Int64
        /// The state that the file must have, also after the last byte; nil if only its length matters.
        private let state: FileState?

        /// Opens a part of a file.
        package init(
            _ range: Range<Int64>,
            of path: String,
            _ state: FileState?
        ) throws(Problem) {
            remaining = range.upperBound - range.lowerBound
            self.state = state
            let descriptor = try RegularFile.open(path, followsLinks: true).descriptor
            self.descriptor = descriptor
            try checkState()
            guard range.lowerBound == 0 || lseek(descriptor, off_t(range.lowerBound), SEEK_SET) >= 0
            else { throw Problem(errno: errno) }
        }

        deinit { close() }

        /// Reads the next bytes, and returns their number, 0 at the end.
        package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Problem) -> Int {
            let wanted = Int(min(Int64(buffer.count), remaining))
            guard wanted > 0 else { return 0 }
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            let count = descriptor.map { RegularFile.read($0, into: room) }
            // A file that became shorter is an error, so that half a file is never sent as a whole one.
            guard let count, count > 0 else {
                throw count == 0 ? Problem(words: "it became shorter") : Problem(errno: errno)
            }
            remaining -= Int64(count)
            // The last bytes are held back, so that the request can't be complete.
            if remaining == 0 { try checkState() }
            return count
        }

        private func checkState() throws(Problem) {
            guard let state else { return }
            guard let status = descriptor.flatMap({ RegularFile.status(of: $0) }),
                FileState(status) == state
            else { throw Problem(words: "it changed") }
        }

        package func close() {
            if let descriptor { Foundation.close(descriptor) }
            descriptor = nil
        }
    }
}

/// What tells whether a file has changed: its length and the time of its last modification.
package struct FileState: Hashable, Sendable {
    /// The length in bytes.
    package let length: Int64
    /// The time of the last modification, in nanoseconds since 1970.
    package let modification: Int64

    init(_ status: stat) {
        length = Int64(status.st_size)
        modification = RegularFile.modification(of: status)
    }

    package init(length: Int64, modification: Int64) {
        self.length = length
        self.modification = modification
    }

    /// Reads the state of a file.
    package init(of path: String) throws(RegularFile.Problem) {
        let (descriptor, _) = try RegularFile.open(path, followsLinks: true)
        defer { close(descriptor) }
        guard let status = RegularFile.status(of: descriptor) else {
            throw RegularFile.Problem(words: "it is not a regular file")
        }
        self.init(status)
    }
}

/// What is at a path.
package enum FileKind {
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The length of a regular file, which isn't a link to one.
    package static func length(of path: String) -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }
}

/// Writes all of `data` at a descriptor's position, with as many calls as necessary.
///
/// - Parameters:
///   - data: The bytes to write.
///   - descriptor: The descriptor of an open file.
/// - Returns: The `errno` value of the failure, or nil on success.
package func writeAll(_ data: Data, to descriptor: Int32) -> Int32? {
    for region in data.regions {
        let code = region.withUnsafeBytes { bytes -> Int32? in
            var rest = bytes[...]
            while !rest.isEmpty {
                let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress
                let count = write(descriptor, start, rest.count)
                if count < 0, errno != EINTR { return errno }
                rest = rest.dropFirst(max(0, count))
            }
            return nil
        }
        if let code { return code }
    }
    return nil
}

/// A nameless temporary file, which disappears once released, even if the process dies.
///
/// One thread at a time may write. Any number of readers may read, each at its own offset.
package final class SpoolFile: Sendable {
    private let descriptor: Int32

    /// Creates an empty file in the temporary directory.
    package init() throws(SpoolFailure) {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appendingPathComponent("netkit-\(UUID().uuidString)").path
        // The flags ensure that the file is new and that no child process inherits it.
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SpoolFailure(code: errno, folder: folder.path) }
        unlink(path)
    }

    deinit {
        close(descriptor)
    }

    /// Appends bytes.
    package func append(_ data: Data) throws(SpoolFailure) {
        if let code = writeAll(data, to: descriptor) { throw SpoolFailure(code: code) }
    }

    /// Reads bytes at an offset, and returns their number, 0 at the end.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) throws(SpoolFailure) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw SpoolFailure(code: errno) }
        }
    }
}

/// An error from writing or reading the temporary file of a sequence body.
package struct SpoolFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The `errno` value, such as `ENOSPC`.
    let code: Int32
    /// The folder that takes no file, or nil if the file is there.
    var folder: String?

    /// A one-line lowercase description.
    package var description: String {
        let place = folder.map { " in \(LogText.plain($0))" } ?? ""
        return
            "the body can't be written to a temporary file\(place): \(String(cString: strerror(code)))"
    }
}
