import Foundation
@_spi(Hashing) import NetKit

/// The SHA-256 of NetKit.
///
/// With CryptoKit or swift-crypto, `extension SHA256: AWSHash {}` is enough.
struct SHA256: AWSHash {
    private var message = Data()

    mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        message.append(contentsOf: bufferPointer)
    }

    func finalize() -> [UInt8] { message.sha256 }
}
