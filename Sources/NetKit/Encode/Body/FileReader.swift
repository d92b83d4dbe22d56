import Foundation

/// A reader of a file that fails if the file is shorter than announced.
final class FileReader: BodyReader {
    private var descriptor: Int32?
    private let path: String
    private var remaining: Int64

    private init(_ file: URL, length: Int64) throws {
        path = file.path
        descriptor = try Self.open(path).descriptor
        remaining = length
    }

    deinit { close() }

    private static func open(
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
        return count
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
