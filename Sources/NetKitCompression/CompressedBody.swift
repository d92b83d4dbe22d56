import Foundation
import NetKit

/// A body that is compressed with gzip, in memory or while it is sent.
enum CompressedBody {
    /// The size up to which the file is kept in memory.
    ///
    /// A larger one is compressed again each time it is sent.
    static let memoryLimit = 1 << 20

    /// Compresses a body.
    ///
    /// The body is read once now, at most as far as its file is smaller. It suspends now and
    /// then, so that it never keeps a thread from other tasks for long.
    ///
    /// - Parameters:
    ///   - body: The body, which isn't a live sequence.
    ///   - memoryLimit: The size up to which the file is kept in memory, for a body that isn't in memory itself.
    /// - Returns: The compressed body, or nil if it wouldn't be smaller.
    /// - Throws: The error of the body or of zlib, or `CancellationError`.
    static func compressing(
        _ body: BodySource,
        memoryLimit: Int = memoryLimit
    ) async throws -> BodySource? {
        // A body that is shorter than it says must not become a complete file.
        let body = ExactLengthReader.source(checking: body)
        let limit = body.data == nil ? memoryLimit : .max
        let reader = try GzipReader(try body.open())
        defer { reader.close() }
        // Small, because 4 KiB of a file can be 4 MiB of content.
        var buffer = [UInt8](repeating: 0, count: 4 << 10)
        var kept = Data()
        var length: Int64 = 0
        var count = 0
        while let bytes = try reader.next(in: &buffer) {
            length += Int64(bytes.count)
            guard length < body.length else { return nil }
            if length <= limit {
                kept.append(contentsOf: bytes)
            } else {
                kept = Data()
            }
            count += 1
            if count.isMultiple(of: 16) { await Task.yield() }
            try Task.checkCancellation()
        }
        if length <= limit { return BodySource(kept) }
        // The file must come out as it did now, or its length is wrong.
        return ExactLengthReader.source(
            checking: BodySource(length: length) { try GzipReader(try body.open()) }
        )
    }
}
