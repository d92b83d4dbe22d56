import Foundation

/// A reader of a file that fails if the file is shorter than announced.
final class FileReader: BodyReader {
    private var descriptor: Int32?
    private let path: String
    private var remaining: Int64
    /// The state that the file must have, also after the last byte; nil if only its length matters.
    private let state: FileState?

    /// Opens a file at its first byte.
    private init(_ file: URL, length: Int64) throws(InvalidRequest) {
        path = file.path
        remaining = length
        state = nil
        descriptor = try Self.open(path).descriptor
    }

    /// Opens a part of a file that must not have changed.
    ///
    /// - Parameters:
    ///   - part: The part, which is within the file.
    ///   - state: The state of the file.
    /// - Throws: ``InvalidRequest`` if the file can't be read, or has another state.
    init(_ part: FilePart, of state: FileState) throws(InvalidRequest) {
        path = part.file.path
        remaining = part.range.upperBound - part.range.lowerBound
        self.state = state
        let descriptor = try Self.open(path).descriptor
        self.descriptor = descriptor
        try checkState()
        guard lseek(descriptor, off_t(part.range.lowerBound), SEEK_SET) >= 0 else {
            throw InvalidRequest(.unreadableFile(path), String(cString: strerror(errno)))
        }
    }

    deinit { close() }

    static func open(
        _ path: String
    ) throws(InvalidRequest) -> (descriptor: Int32, length: Int64) {
        do throws(RegularFile.Problem) {
            return try RegularFile.open(path, followsLinks: true)
        } catch {
            throw InvalidRequest(.unreadableFile(path), error.words)
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let wanted = Int(min(Int64(buffer.count), remaining))
        guard wanted > 0 else { return 0 }
        let count = descriptor.map {
            RegularFile.read($0, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
        }
        // A file that became shorter is an error, so that half a file is never sent as a whole one.
        guard let count, count > 0 else {
            let problem = count == 0 ? "it became shorter" : String(cString: strerror(errno))
            throw InvalidRequest(.unreadableFile(path), problem)
        }
        remaining -= Int64(count)
        // The last bytes are held back, so that the request can't be complete.
        if remaining == 0 { try checkState() }
        return count
    }

    private func checkState() throws(InvalidRequest) {
        guard let state else { return }
        guard let status = descriptor.flatMap({ RegularFile.status(of: $0) }),
            FileState(status) == state
        else { throw InvalidRequest(.unreadableFile(path), "it changed") }
    }

    func close() {
        if let descriptor { Foundation.close(descriptor) }
        descriptor = nil
    }

    /// The maximum size of a file that reports a length of 0.
    private static let unannounced = 1 << 20

    /// Creates a source that reads a file of its current length while sending it.
    ///
    /// Kernel files that report a length of 0, such as those in `/proc`, are read immediately, up to 1 MiB.
    ///
    /// - Parameter file: The URL of a readable file.
    /// - Returns: The source. Opening or reading it throws ``InvalidRequest`` if the file was removed or became
    ///   shorter.
    /// - Throws: ``InvalidRequest`` if the URL isn't a file URL, the file is missing, unreadable or not a regular file,
    ///   or a kernel file exceeds 1 MiB.
    static func source(of file: URL) throws(InvalidRequest) -> BodySource {
        guard file.isFileURL else {
            throw InvalidRequest(.unreadableFile("\(RedactedURL(file))"), "it is not a file URL")
        }
        let (descriptor, length) = try open(file.path)
        defer { Foundation.close(descriptor) }
        if length == 0 {
            guard let content = RegularFile.rest(of: descriptor, atMost: unannounced) else {
                throw InvalidRequest(
                    .unreadableFile(file.path),
                    "it reports no length, and is larger than 1 MiB"
                )
            }
            if !content.isEmpty { return BodySource(content) }
        }
        return BodySource(length: length, file: file) { try FileReader(file, length: length) }
    }
}
