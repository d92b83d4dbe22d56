import Foundation
import NetKit

/// The bytes of a request's body, read as a connection would read them.
struct ReadBody {
    /// The bytes, empty where they are not kept.
    private(set) var data = Data()
    /// How many there were.
    private(set) var count: Int64 = 0

    /// Reads a body to its end, in portions of 64 KiB.
    ///
    /// - Parameters:
    ///   - source: The body, nil without one.
    ///   - keepingBytes: Whether the bytes are kept and not only counted.
    ///   - onPortion: Told how many bytes there were so far; gives whether to go on.
    /// - Throws: What kept the body from being read.
    init(
        _ source: BodySource?,
        keepingBytes: Bool,
        onPortion: (Int64) -> Bool = { _ in true }
    ) throws {
        guard let source else { return }
        let reader = try source.open()
        defer { reader.close() }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
            guard count > 0 else { break }
            if keepingBytes { data.append(contentsOf: buffer[..<count]) }
            self.count += Int64(count)
            guard onPortion(self.count) else { return }
        }
        guard self.count == source.length else {
            throw BodyChanged(announced: source.length, count: self.count)
        }
    }
}

/// A body had another number of bytes than it said.
struct BodyChanged: Error, CustomStringConvertible {
    let announced: Int64
    let count: Int64

    var description: String { "the body has \(count) bytes and was said to have \(announced)" }
}
