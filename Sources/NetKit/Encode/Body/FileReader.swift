public import Foundation
import NetKitSupport

extension RequestBody {
    /// Creates a body from a part of a file, which is read while it is sent.
    ///
    /// ```swift
    /// var body: RequestBody? { .file(archive, range: 0..<5_000_000) }
    /// ```
    ///
    /// The length is known, and the body can be sent again. A range that isn't within the file is refused with
    /// ``InvalidRequest/Reason/unreadableFile(_:)`` before anything is sent. If the length of the file or the time of its
    /// last modification changes before the last byte is read, that error is the ``TransportError/underlying`` of the
    /// call's error.
    ///
    /// - Parameters:
    ///   - file: The URL of a regular file. Symbolic links are followed.
    ///   - range: The offsets of the bytes, beginning at 0, as any type of integer.
    ///   - mime: The media type. Defaults to `application/octet-stream`, because a part of a picture is no picture.
    /// - Returns: The body.
    public static func file<Offset: BinaryInteger>(
        _ file: URL,
        range: Range<Offset>,
        mime: MimeType = .binary
    ) -> RequestBody {
        let (start, end) = (Int64(clamping: range.lowerBound), Int64(clamping: range.upperBound))
        let part = FilePart(file, range: start..<end)
        return .stream(
            BodySequence(mime: mime, length: part.length, isLive: false, part: part) { take in
                let source = try part.source()
                let reader = try source.open()
                defer { reader.close() }
                var buffer = [UInt8](repeating: 0, count: 64 << 10)
                while let bytes = try reader.next(in: &buffer) { try await take(Data(bytes)) }
            }
        )
    }
}

extension FilePart {
    /// The number of bytes, which is only limited for a range that no file has.
    fileprivate var length: Int64 {
        let (length, overflows) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
        return overflows ? .max : length
    }

    /// Creates a source that reads the part while sending it.
    ///
    /// - Returns: The source. Opening or reading it throws ``InvalidRequest`` if the file has changed since.
    /// - Throws: ``InvalidRequest`` if the file is missing, unreadable, not a regular file, or shorter than the part.
    package func source() throws(InvalidRequest) -> BodySource {
        let state = try FileState(of: file)
        guard range.lowerBound >= 0, range.upperBound <= state.length else {
            throw InvalidRequest(
                .unreadableFile(file.path),
                "bytes \(range) are outside of its \(state.length) bytes"
            )
        }
        return BodySource(length: length) { try FileReader(self, of: state) }
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
    ///
    /// - Parameter file: The URL of a readable file.
    /// - Throws: ``InvalidRequest`` if the URL isn't a file URL, or the file is missing, unreadable or not a regular file.
    package init(of file: URL) throws(InvalidRequest) {
        guard file.isFileURL else {
            throw InvalidRequest(.unreadableFile("\(RedactedURL(file))"), "it is not a file URL")
        }
        let (descriptor, _) = try FileReader.open(file.path)
        defer { Foundation.close(descriptor) }
        guard let status = RegularFile.status(of: descriptor) else {
            throw InvalidRequest(.unreadableFile(file.path), "it is not a regular file")
        }
        self.init(status)
    }
}

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
