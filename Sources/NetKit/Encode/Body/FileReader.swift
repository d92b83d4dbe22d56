import Foundation

/// Reads a file, and minds that it is as long as it was announced.
final class FileReader: BodyReader {
    private var descriptor: Int32?
    private let path: String
    private var remaining: Int64

    private init(_ file: URL, length: Int64) throws {
        guard let (descriptor, _) = RegularFile.open(file.path, followsLinks: true) else {
            throw InvalidRequest(.unreadableFile(file.path))
        }
        self.descriptor = descriptor
        path = file.path
        remaining = length
    }

    deinit { close() }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let wanted = Int(min(Int64(buffer.count), remaining))
        guard wanted > 0 else { return 0 }
        let count = descriptor.map {
            RegularFile.read($0, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
        }
        // Shorter than announced is as bad as unreadable: half a file must not pass for a whole one.
        guard let count, count > 0 else { throw InvalidRequest(.unreadableFile(path)) }
        remaining -= Int64(count)
        return count
    }

    func close() {
        if let descriptor { Foundation.close(descriptor) }
        descriptor = nil
    }

    /// The most bytes of a file that says that it is empty and is not.
    private static let unannounced = 1 << 20

    /// The bytes of a file, read while they are sent; as many as it has now.
    ///
    /// A file of the kernel's, such as those below `/proc`, has content though its length is 0. What it has now
    /// is the body then, up to 1 MiB.
    ///
    /// - Parameter file: A file that can be read.
    /// - Returns: The source. Opening or reading it throws ``InvalidRequest`` once the file is gone
    ///   or shorter.
    /// - Throws: ``InvalidRequest`` if it is no file URL, missing, unreadable or no regular file, or a file of
    ///   the kernel's with more than 1 MiB.
    static func source(of file: URL) throws(InvalidRequest) -> BodySource {
        guard file.isFileURL else {
            throw InvalidRequest(.unreadableFile("\(file.scheme ?? ""): is no file URL"))
        }
        guard let (descriptor, length) = RegularFile.open(file.path, followsLinks: true) else {
            throw InvalidRequest(.unreadableFile(file.path))
        }
        defer { Foundation.close(descriptor) }
        if length == 0 {
            guard let content = RegularFile.rest(of: descriptor, atMost: unannounced) else {
                throw InvalidRequest(.unreadableFile(file.path))
            }
            if !content.isEmpty { return BodySource(content) }
        }
        return BodySource(length: length, file: file) { try FileReader(file, length: length) }
    }
}
