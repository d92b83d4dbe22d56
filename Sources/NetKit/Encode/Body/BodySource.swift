public import Foundation

/// Where the bytes of a body come from.
///
/// It can be opened any number of times and gives the same bytes each time: that is what lets a body
/// be sent again after a redirect or a failure.
public struct BodySource: Sendable {
    /// How many bytes there are, exactly.
    public let length: Int64
    /// The bytes, where they are in memory.
    public let data: Data?
    /// The file, where the bytes are all of one.
    package let file: URL?
    /// The parts, where the bytes are a multipart form.
    package internal(set) var parts: [FormPart]?
    /// The pieces, where they have yet to come; only a transport that says that it
    /// ``Transport/sendsSequences`` is given any.
    ///
    /// They can be asked for once. ``length`` is 0 then if theirs is not known, and the source cannot be
    /// opened.
    public let sequence: BodySequence?
    private let opener: @Sendable () throws -> any BodyReader

    /// Makes a source of bytes in memory.
    ///
    /// - Parameter data: The bytes.
    public init(_ data: Data) {
        length = Int64(data.count)
        self.data = data
        file = nil
        sequence = nil
        opener = { DataReader(data) }
    }

    /// Makes a source of bytes that are read as they are sent.
    ///
    /// - Parameters:
    ///   - length: How many bytes a reader gives; not negative.
    ///   - open: Makes a reader at the first byte.
    public init(length: Int64, open: @escaping @Sendable () throws -> any BodyReader) {
        self.init(length: length, file: nil, open: open)
    }

    /// Makes a source of bytes that have yet to come, and that cannot be opened before.
    init(_ sequence: BodySequence) {
        length = max(0, sequence.length ?? 0)
        data = nil
        file = nil
        self.sequence = sequence
        opener = {
            throw InvalidRequest(.sentOnce, "a sequence, which comes while it is sent")
        }
    }

    init(length: Int64, file: URL?, open: @escaping @Sendable () throws -> any BodyReader) {
        self.length = max(0, length)
        data = nil
        self.file = file
        sequence = nil
        opener = open
    }

    /// Opens the source at its first byte.
    ///
    /// - Returns: A reader, to be closed by the caller.
    /// - Throws: What kept the source from being opened.
    public func open() throws -> any BodyReader {
        try opener()
    }
}

/// Reads the bytes of a body from the first to the last; used by one thread at a time.
public protocol BodyReader: AnyObject {
    /// Reads the next bytes.
    ///
    /// - Parameter buffer: Where to; never empty.
    /// - Returns: How many were read, 0 at the end.
    /// - Throws: What kept them from being read.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
    /// Lets go of what is open. Nothing is read afterwards.
    func close()
}

/// Reads bytes that are in memory.
final class DataReader: BodyReader {
    private let data: Data
    private var offset: Int

    init(_ data: Data) {
        self.data = data
        offset = data.startIndex
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let end = min(data.endIndex, offset + buffer.count)
        defer { offset = end }
        return data[offset..<end].copyBytes(to: buffer)
    }

    func close() {}
}

/// One part of a multipart form, for those who write it down in another way than as bytes.
package struct FormPart: Sendable {
    /// The part's name.
    package let name: String
    /// The name of its file; nil for a field of text.
    package let fileName: String?
    /// The media type that it is sent with; nil for a field of text.
    package let mime: MimeType?
    /// Its content.
    package let source: BodySource
}
