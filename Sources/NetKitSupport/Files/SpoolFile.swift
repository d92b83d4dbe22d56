package import Foundation

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
        guard descriptor >= 0 else { throw SpoolFailure(code: errno) }
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

    /// A one-line lowercase description.
    package var description: String {
        "the body can't be written to a temporary file: \(String(cString: strerror(code)))"
    }
}
