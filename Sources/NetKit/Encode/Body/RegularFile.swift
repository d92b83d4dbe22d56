import Foundation

/// Opens files without waiting for what is none: a pipe, a device or a socket.
enum RegularFile {
    /// What is known of an open file; nil if it is no regular one.
    static func status(of descriptor: Int32) -> stat? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return status
    }

    /// Opens a file to read it.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - followsLinks: Whether what a symbolic link leads to is meant.
    /// - Returns: The descriptor, to be closed by the caller, and the file's length; nil for a path with a NUL, behind
    ///   which the system reads no further, and for what cannot be read or is no regular file.
    static func open(_ path: String, followsLinks: Bool) -> (descriptor: Int32, length: Int64)? {
        guard !path.utf8.contains(0) else { return nil }
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = Foundation.open(path, flags)
        guard descriptor >= 0 else { return nil }
        guard let length = status(of: descriptor)?.st_size else {
            close(descriptor)
            return nil
        }
        return (descriptor, Int64(length))
    }

    /// Reads bytes from where a descriptor stands.
    ///
    /// - Returns: How many; negative for an error.
    static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        repeat {
            count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        } while count < 0 && errno == EINTR
        return count
    }

    /// Reads what is left behind where a descriptor stands.
    ///
    /// - Returns: The bytes; nil if there are more than `limit`, or they cannot be read.
    static func rest(of descriptor: Int32, atMost limit: Int) -> Data? {
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
