import Foundation

/// Reads a file, and minds that it is as long as it was announced.
final class FileReader: BodyReader {
    private let handle: FileHandle
    private let path: String
    private var remaining: Int64

    private init(_ file: URL, length: Int64) throws {
        guard let handle = FileHandle(forReadingAtPath: file.path) else {
            throw InvalidRequest(.unreadableFile(file.path))
        }
        self.handle = handle
        path = file.path
        remaining = length
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let wanted = Int(min(Int64(buffer.count), remaining))
        guard wanted > 0 else { return 0 }
        var count = 0
        repeat {
            count = Foundation.read(handle.fileDescriptor, buffer.baseAddress, wanted)
        } while count < 0 && errno == EINTR
        // Shorter than announced is as bad as unreadable: half a file must not pass for a whole one.
        guard count > 0 else { throw InvalidRequest(.unreadableFile(path)) }
        remaining -= Int64(count)
        return count
    }

    func close() {
        try? handle.close()  // it was only read
    }

    /// The bytes of a file, read while they are sent; as many as it has now.
    ///
    /// - Parameter file: A file that can be read.
    /// - Returns: The source. Opening or reading it throws ``InvalidRequest`` once the file is gone
    ///   or shorter.
    /// - Throws: ``InvalidRequest`` if it is no file URL, missing, unreadable or a directory.
    static func source(of file: URL) throws(InvalidRequest) -> BodySource {
        guard file.isFileURL else {
            throw InvalidRequest(.unreadableFile("\(file.scheme ?? ""): is no file URL"))
        }
        guard let length = length(of: file) else {
            throw InvalidRequest(.unreadableFile(file.path))
        }
        return BodySource(length: length, file: file) { try FileReader(file, length: length) }
    }

    private static func length(of file: URL) -> Int64? {
        let manager = FileManager.default
        guard
            // Why it cannot be asked is told by the path well enough.
            let attributes = try? manager.attributesOfItem(
                atPath: file.resolvingSymlinksInPath().path
            ),
            attributes[.type] as? FileAttributeType == .typeRegular,
            manager.isReadableFile(atPath: file.path)
        else { return nil }
        return (attributes[.size] as? NSNumber)?.int64Value
    }
}
