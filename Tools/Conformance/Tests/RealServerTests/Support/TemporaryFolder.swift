import Crypto
import Foundation
import NetKit

/// A folder that is gone with its last reference.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("RealServers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        // Nothing depends on it.
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// The SHA-256 of bytes.
func sha256(_ data: Data) -> Data { Data(SHA256.hash(data: data)) }

extension Data {
    /// Two hexadecimal digits a byte.
    var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }

    /// Bytes that look random and are the same each time.
    static func noise(_ count: Int, seed: UInt64 = 1) -> Data {
        var state = seed
        return Data(
            (0..<count)
                .map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 56)
                }
        )
    }
}
