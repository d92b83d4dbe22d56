import Foundation
import NetKit

/// The bytes of a request's body, read as a connection would.
struct ReadBody {
    /// The bytes; empty if they aren't kept.
    private(set) var data = Data()
    /// The number of bytes.
    private(set) var count: Int64 = 0

    /// Reads a body to its end, in portions of 64 KiB.
    ///
    /// - Parameters:
    ///   - source: The body; nil if there is none.
    ///   - keepingBytes: Whether to keep the bytes or only count them.
    ///   - onPortion: A closure that receives the number of bytes so far, and returns whether to
    ///     continue.
    /// - Throws: The error of opening or reading the body, or ``BodyChanged``.
    init(
        _ source: BodySource?,
        keepingBytes: Bool,
        onPortion: (Int64) -> Bool = { _ in true }
    ) throws {
        guard let source else { return }
        let reader = try source.open()
        defer { reader.close() }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while let bytes = try reader.next(in: &buffer) {
            if keepingBytes { data.append(contentsOf: bytes) }
            count += Int64(bytes.count)
            guard onPortion(count) else { return }
        }
        guard count == source.length else {
            throw BodyChanged(announced: source.length, count: count)
        }
    }
}

/// The error for a body whose length differs from the announced one.
struct BodyChanged: Error, CustomStringConvertible {
    let announced: Int64
    let count: Int64

    var description: String { "the body has \(count) bytes and was said to have \(announced)" }
}
