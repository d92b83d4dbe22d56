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
    /// It reads the bytes as two 64-bit numbers. If a module is compiled as a whole, the member names belong to a module
    /// that can't be imported.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        withUnsafeBytes(of: time) { bytes in
            guard bytes.count == 16 else { return 0 }
            let (seconds, overflows) = bytes.load(as: Int64.self)
                .multipliedReportingOverflow(by: 1_000_000_000)
            guard !overflows, seconds >= 0 else { return 0 }
            let fraction = bytes.load(fromByteOffset: 8, as: Int64.self)
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
