public import Foundation

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
    ///   - range: The offsets of the bytes, beginning at 0.
    ///   - mime: The media type. Defaults to `application/octet-stream`, because a part of a picture is no picture.
    /// - Returns: The body.
    public static func file(
        _ file: URL,
        range: Range<Int64>,
        mime: MimeType = .binary
    ) -> RequestBody {
        let part = FilePart(file, range: range)
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
