public import Foundation
import NetKitSupport

/// A source of the bytes of a request body.
///
/// A source can be opened any number of times, and returns the same bytes each time. NetKit can therefore send the body
/// again after a redirect or a failure.
public struct BodySource: Sendable {
    /// The exact number of bytes.
    public let length: Int64
    /// The bytes, if they are in memory.
    public let data: Data?
    /// The file, if the body is a whole file.
    package let file: URL?
    /// The parts, if the body is a multipart form.
    package internal(set) var parts: [FormPart]?
    /// The live sequence that produces the body, if any.
    ///
    /// Only a transport that ``Transport/sendsSequences`` receives such a source. The sequence can be iterated once,
    /// and the source can't be opened. ``length`` is 0 if the sequence has no known length.
    public let sequence: BodySequence?
    private let opener: @Sendable () throws -> any BodyReader

    /// Creates a source of bytes in memory.
    ///
    /// - Parameter data: The bytes.
    public init(_ data: Data) {
        length = Int64(data.count)
        self.data = data
        file = nil
        sequence = nil
        opener = { DataReader(data) }
    }

    /// Creates a source of bytes that are read while they are sent.
    ///
    /// - Parameters:
    ///   - length: The exact number of bytes. Negative values count as 0.
    ///   - open: A closure that returns a new reader positioned at the first byte.
    public init(length: Int64, open: @escaping @Sendable () throws -> any BodyReader) {
        self.init(length: length, file: nil, open: open)
    }

    /// Creates a source from a live sequence, which can't be opened.
    init(_ sequence: BodySequence) {
        length = max(0, sequence.length ?? 0)
        data = nil
        file = nil
        self.sequence = sequence
        opener = {
            throw InvalidRequest(.notReplayable, "a sequence, which comes while it is sent")
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
    /// - Returns: A reader, which the caller must close.
    /// - Throws: The reason why the source can't be opened.
    public func open() throws -> any BodyReader {
        try opener()
    }
}

/// A reader of a body's bytes, used by one thread at a time.
public protocol BodyReader: AnyObject {
    /// Reads the next bytes.
    ///
    /// - Parameter buffer: The destination, never empty.
    /// - Returns: The number of bytes read, or 0 at the end.
    /// - Throws: The reason why the bytes can't be read.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
    /// Releases the reader's resources.
    ///
    /// It isn't used afterward.
    func close()
}

extension BodyReader {
    /// Reads the next bytes.
    ///
    /// - Parameter buffer: The destination, never empty.
    /// - Returns: The bytes read, or nil at the end.
    /// - Throws: The reason why the bytes can't be read.
    package func next(in buffer: inout [UInt8]) throws -> ArraySlice<UInt8>? {
        let count = try buffer.withUnsafeMutableBytes { try read(into: $0) }
        return count > 0 ? buffer[..<count] : nil
    }
}

extension HashedMessage {
    /// Hashes a body, which is read to its end.
    ///
    /// - Throws: An error if the body can't be read.
    package init(of body: BodySource) throws {
        self.init()
        let reader = try body.open()
        defer { reader.close() }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while let bytes = try reader.next(in: &buffer) { add(bytes) }
    }
}

/// A reader of bytes in memory.
final class DataReader: BodyReader {
    private let data: Data
    private var offset = 0

    init(_ data: Data) {
        self.data = data
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        // Copying a slice of the data would take thousands of instructions.
        data.withUnsafeBytes { bytes in
            let next = bytes[offset...].prefix(buffer.count)
            buffer.copyBytes(from: next)
            offset += next.count
            return next.count
        }
    }

    func close() {}
}

/// A part of a multipart form, for consumers that don't need the encoded bytes.
package struct FormPart: Sendable {
    /// The name of the form field.
    package let name: String
    /// The file name, or nil for a text field.
    package let fileName: String?
    /// The media type, or nil for a text field.
    package let mime: MimeType?
    /// The content.
    package let source: BodySource
}
