import Foundation

/// A folder for the files of one test, removed with the last reference to it.
final class UploadFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)  // at worst, something is left in /tmp
    }

    /// Writes a file with a name of its own.
    func file(_ bytes: Data) throws -> URL {
        let file = url.appending(path: "\(UUID()).bin")
        try bytes.write(to: file)
        return file
    }
}

extension Data {
    /// So many bytes, of which no two stretches are the same; at most 300,001.
    static func pattern(_ count: Int) -> Data {
        Data(longestPattern.prefix(count))
    }

    /// Made once: it takes a debug build a second.
    private static let longestPattern = Data(
        (0..<300_001).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    )
}
