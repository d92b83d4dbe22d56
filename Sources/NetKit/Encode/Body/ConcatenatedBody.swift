import Foundation

/// A reader that concatenates several sources.
final class ConcatenatedBody: BodyReader {
    private var waiting: ArraySlice<BodySource>
    private var current: (any BodyReader)?
    private var remaining: Int64 = 0

    private init(_ sources: [BodySource]) {
        waiting = sources[...]
    }

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

/// An error for a body that ends before its announced length.
package struct BodyTooShort: Error, Equatable, CustomStringConvertible {
    /// The number of missing bytes.
    package let missing: Int64

    package init(missing: Int64) {
        self.missing = missing
    }

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

    func close() {
        stream.close()
    }
}
