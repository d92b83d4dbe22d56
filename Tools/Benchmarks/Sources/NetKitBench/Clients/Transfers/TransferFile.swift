import Foundation

/// A file that is sent, or that is to be there after a download.
struct TransferFile: Sendable {
    let url: URL
    /// Bytes.
    let length: Int
}

extension TransferFile {
    /// A file that is there, with the length it has.
    ///
    /// - Throws: When it is not there.
    init(existing url: URL) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        guard let size = attributes[.size] as? NSNumber else { throw CocoaError(.fileReadUnknown) }
        self.init(url: url, length: size.intValue)
    }

    /// Makes a file for all clients to send, which is in the system's cache thereafter.
    ///
    /// - Throws: When it cannot be written.
    static func make(at url: URL, length: Int) throws -> TransferFile {
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let handle = try FileHandle(forWritingTo: url)
        var generator = SystemRandomNumberGenerator()
        let block = Data(
            (0..<(1 << 20)).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        )
        var left = length
        while left > 0 {
            let count = min(left, block.count)
            try handle.write(contentsOf: block.prefix(count))
            left -= count
        }
        // Written back before the rounds begin, not during the first of them.
        try handle.synchronize()
        try handle.close()
        return TransferFile(url: url, length: length)
    }
}
