public import Foundation
package import NetKitSupport

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
        return .file(FilePart(file, range: start..<end), mime: mime)
    }

    /// Creates a body from a part of a file.
    package static func file(_ part: FilePart, mime: MimeType) -> RequestBody {
        .stream(
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
    /// - Throws: ``InvalidRequest`` if the file is missing, unreadable, not a regular file, shorter than the part, or not
    ///   in the state that it must have.
    package func source() throws(InvalidRequest) -> BodySource {
        let current = try FileState(of: file)
        guard state == nil || state == current else {
            throw InvalidRequest(.unreadableFile(file.path), "it changed")
        }
        guard range.lowerBound >= 0, range.upperBound <= current.length else {
            throw InvalidRequest(
                .unreadableFile(file.path),
                "bytes \(range) are outside of its \(current.length) bytes"
            )
        }
        return BodySource(length: length) { try FileReader(self, of: current) }
    }
}

extension FileState {
    /// Reads the state of a file.
    ///
    /// - Parameter file: The URL of a readable file.
    /// - Throws: ``InvalidRequest`` if the URL isn't a file URL, or the file is missing, unreadable or not a regular file.
    package init(of file: URL) throws(InvalidRequest) {
        self = try RegularFile.access(file, FileState.init)
    }
}

extension RegularFile {
    /// Accesses a file, whose problem becomes that of the request.
    fileprivate static func access<Value>(
        _ file: URL,
        _ body: (_ path: String) throws(Problem) -> Value
    ) throws(InvalidRequest) -> Value {
        guard file.isFileURL else {
            throw InvalidRequest(.unreadableFile("\(RedactedURL(file))"), "it is not a file URL")
        }
        do throws(Problem) {
            return try body(file.path)
        } catch {
            throw InvalidRequest(.unreadableFile(file.path), error.words)
        }
    }
}

/// A reader of a file that fails if the file is shorter than announced.
final class FileReader: BodyReader {
    private let file: URL
    private let part: RegularFile.Part

    /// Opens a part of a file.
    ///
    /// - Parameters:
    ///   - part: The part, which is within the file.
    ///   - state: The state that the file must have; nil if only its length matters.
    /// - Throws: ``InvalidRequest`` if the file can't be read, or has another state.
    init(_ part: FilePart, of state: FileState? = nil) throws(InvalidRequest) {
        file = part.file
        self.part = try RegularFile.access(file) { path throws(RegularFile.Problem) in
            try RegularFile.Part(part.range, of: path, state)
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try RegularFile.access(file) { _ throws(RegularFile.Problem) in
            try part.read(into: buffer)
        }
    }

    func close() { part.close() }

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
        let (length, content) = try RegularFile.access(file, RegularFile.measure)
        guard content.isEmpty else { return BodySource(content) }
        let whole = FilePart(file, range: 0..<length)
        var source = BodySource(length: length) { try FileReader(whole) }
        source.file = file
        return source
    }
}
