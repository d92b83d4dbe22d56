import Foundation

/// Reads a file, and minds that it is as long as it was announced.
final class FileReader: BodyReader {
    private let handle: FileHandle
    private let path: String
    private var remaining: Int64

    init(_ file: URL, length: Int64) throws {
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

    /// The length of a file that can be read.
    ///
    /// - Throws: ``InvalidRequest`` if it is no file URL, missing, unreadable or a directory.
    static func length(of file: URL) throws(InvalidRequest) -> Int64 {
        let unreadable = InvalidRequest(
            .unreadableFile(file.isFileURL ? file.path : "not a file URL")
        )
        guard file.isFileURL,
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: file.resolvingSymlinksInPath().path
            ),
            attributes[.type] as? FileAttributeType == .typeRegular,
            let size = (attributes[.size] as? NSNumber)?.int64Value,
            FileManager.default.isReadableFile(atPath: file.path)
        else { throw unreadable }
        return size
    }
}
