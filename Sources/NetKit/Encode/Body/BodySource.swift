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
    package internal(set) var file: URL?
    /// The parts, if the body is a multipart form.
    package internal(set) var parts: [FormPart]?
    /// The live sequence that produces the body, if any.
    ///
    /// Only a transport that ``Transport/sendsSequences`` receives such a source. The sequence can be iterated once,
    /// and the source can't be opened. ``length`` is 0 if the sequence has no known length.
    public let sequence: BodySequence?
    /// Whether its readers, or those of its parts, check its length.
    package internal(set) var hasExactLength = false
    /// The reason why the source can't be sent: a negative length, which stands for an unknown one elsewhere.
    private(set) var refusal: InvalidRequest?
    private let opener: @Sendable () throws -> any BodyReader

    /// Creates a source of bytes in memory.
    ///
    /// - Parameter data: The bytes.
    public init(_ data: Data) {
        length = Int64(data.count)
        self.data = data
        sequence = nil
        opener = { DataReader(data) }
    }

    /// Creates a source of bytes that are read while they are sent.
    ///
    /// - Parameters:
    ///   - length: The exact number of bytes. A negative one fails the call before anything is sent.
    ///   - open: A closure that returns a new reader positioned at the first byte.
    public init(length: Int64, open: @escaping @Sendable () throws -> any BodyReader) {
        self.length = max(0, length)
        if length < 0 {
            let problem = InvalidRequest.BodyProblem.wrongLength(0, announced: length)
            refusal = InvalidRequest(problem, "a source of \(length) bytes")
        }
        data = nil
        sequence = nil
        opener = open
    }

    /// Creates a source from a live sequence, which can't be opened.
    init(_ sequence: BodySequence) {
        length = max(0, sequence.length ?? 0)
        data = nil
        self.sequence = sequence
        opener = {
            throw InvalidRequest(.notReplayable, "a sequence, which comes while it is sent")
        }
    }

    /// The number of bytes, or nil for a live sequence that doesn't announce it.
    package var knownLength: Int64? { if let sequence { sequence.length } else { length } }

    /// The number of bytes, in words.
    var size: String { knownLength.map { "\($0) bytes" } ?? "of unknown length" }

    /// Whether there may be bytes to send, be it so many or an unknown number.
    package var hasContent: Bool { length > 0 || sequence != nil }

    /// Opens the source at its first byte.
    ///
    /// - Returns: A reader, which the caller must close.
    /// - Throws: The reason why the source can't be opened.
    public func open() throws -> any BodyReader { try opener() }
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
        let count = try buffer.withUnsafeMutableBytes { try readBounded(into: $0) }
        return count > 0 ? buffer[..<count] : nil
    }

    /// Reads the next bytes, and trusts no count above the buffer's.
    package func readBounded(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        min(try read(into: buffer), buffer.count)
    }
}

extension HashedMessage {
    /// Hashes a body, which is read to its end.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - check: A closure that runs before each read, and ends the hashing with its error. Defaults to none.
    /// - Throws: An error if the body can't be read, or that of `check`.
    package init(of body: BodySource, checking check: () throws -> Void = {}) throws {
        self.init()
        let reader = try body.open()
        defer { reader.close() }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            try check()
            guard let bytes = try reader.next(in: &buffer) else { return }
            add(bytes)
        }
    }
}

/// A reader of bytes in memory.
final class DataReader: BodyReader {
    private let data: Data
    private var offset = 0

    init(_ data: Data) { self.data = data }

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

/// A reader that concatenates several sources.
final class ConcatenatedBody: BodyReader {
    private var waiting: ArraySlice<BodySource>
    private var current: (any BodyReader)?
    private var remaining: Int64 = 0

    private init(_ sources: [BodySource]) { waiting = sources[...] }

    /// Creates one source from several.
    ///
    /// Nil if the total length overflows.
    ///
    /// Small sources that are all in memory are merged in memory.
    static func source(of sources: [BodySource]) -> BodySource? {
        var length: Int64 = 0
        for source in sources {
            let (sum, isTooLong) = length.addingReportingOverflow(source.length)
            guard !isTooLong else { return nil }
            length = sum
        }
        let parts = sources.compactMap(\.data)
        if parts.count == sources.count, length <= 1 << 16 {
            return BodySource(parts.reduce(into: Data()) { $0.append($1) })
        }
        return BodySource(length: length) { ConcatenatedBody(sources) }
    }

    /// Fills the buffer across source boundaries, without waiting for a slow source.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < buffer.count {
            if remaining == 0 {
                close()
                guard let next = waiting.popFirst() else { break }
                current = try next.open()
                remaining = next.length
                continue
            }
            let wanted = Int(min(Int64(buffer.count - filled), remaining))
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<(filled + wanted)])
            let count = try current?.readBounded(into: room) ?? 0
            guard count > 0 else { throw BodyTooShort(missing: remaining) }
            filled += count
            remaining -= Int64(count)
            if count < wanted { break }
        }
        return filled
    }

    func close() {
        current?.close()
        current = nil
    }
}

/// An error for a body that ends before its announced length.
package struct BodyTooShort: Error, Equatable, CustomStringConvertible {
    /// The number of missing bytes.
    package let missing: Int64

    package init(missing: Int64) { self.missing = missing }

    /// A description on one lowercase line.
    package var description: String { "the body ended \(missing) bytes before its length" }
}

/// A reader of an input stream that the caller creates.
final class StreamReader: BodyReader {
    private let stream: InputStream

    init(_ resource: StreamResource) throws {
        stream = try resource.open()
        stream.open()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        let bytes = start.assumingMemoryBound(to: UInt8.self)
        let count = stream.read(bytes, maxLength: buffer.count)
        guard count >= 0 else { throw stream.streamError ?? CocoaError(.fileReadUnknown) }
        return count
    }

    func close() { stream.close() }
}

/// A reader that fails if a body's length isn't the announced one.
///
/// It holds the last bytes back until it knows that no more follow, so that a request with a wrong length is never
/// complete.
package final class ExactLengthReader: BodyReader {
    private let reader: any BodyReader
    private let length: Int64
    private var count: Int64 = 0

    private init(_ reader: any BodyReader, length: Int64) {
        self.reader = reader
        self.length = length
    }

    /// Creates a source whose readers check the length of another source.
    ///
    /// - Parameter source: The source. Bytes in memory, a file and a sequence have a length that is right already, or
    ///   checked elsewhere.
    /// - Returns: The source, which throws ``InvalidRequest`` while it is read.
    /// - Throws: ``InvalidRequest`` if the source can't be sent.
    package static func source(
        checking source: BodySource
    ) throws(InvalidRequest) -> BodySource {
        if let refusal = source.refusal { throw refusal }
        guard !source.hasExactLength, source.data == nil, source.file == nil,
            source.sequence == nil
        else { return source }
        var exact = BodySource(length: source.length) {
            ExactLengthReader(try source.open(), length: source.length)
        }
        exact.hasExactLength = true
        return exact
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let wanted = Int(min(Int64(buffer.count), length - count))
        guard wanted > 0 else { return 0 }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        let read = try reader.readBounded(into: room)
        guard read > 0 else { throw wrongLength(count) }
        count += Int64(read)
        if count == length {
            let more = try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) {
                try reader.read(into: $0)
            }
            guard more <= 0 else { throw wrongLength(count + 1) }
        }
        return read
    }

    private func wrongLength(_ count: Int64) -> InvalidRequest {
        let size = count > length ? "more than \(length)" : "\(count)"
        return InvalidRequest(
            .wrongLength(count, announced: length),
            "a source of \(size) bytes, announced as \(length)"
        )
    }

    package func close() { reader.close() }
}
