import Foundation

/// Several sources, read one after the other as one body.
final class ConcatenatedBody: BodyReader {
    private var waiting: ArraySlice<BodySource>
    private var current: (any BodyReader)?
    private var remaining: Int64 = 0

    private init(_ sources: [BodySource]) {
        waiting = sources[...]
    }

    /// One source of several; in memory if all of them are, and small.
    ///
    /// Nil if they are too long together.
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

    /// Fills the buffer across the ends of the sources; what a source has ready is not kept waiting for more of it.
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
            let count = try current?.read(into: room) ?? 0
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

/// A body that ended before the length it was announced with.
struct BodyTooShort: Error, Equatable, CustomStringConvertible {
    /// How many bytes were still to come.
    let missing: Int64

    /// Makes an error.
    ///
    /// - Parameter missing: How many bytes were still to come.
    init(missing: Int64) {
        self.missing = missing
    }

    /// What went wrong, as one lower-case line.
    var description: String { "the body ended \(missing) bytes before its length" }
}

/// Reads a stream that the caller made.
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

    func close() {
        stream.close()
    }
}
