import NetKitSupport

/// The SHA-256 of this package.
///
/// With CryptoKit or swift-crypto, `extension SHA256: AWSHash, MessageHash {}` is enough.
typealias SHA256 = HashedMessage<NetKitSupport.SHA256>

extension HashedMessage: AWSHash, MessageHash {
    mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        add(Array(bufferPointer)[...])
    }

    func finalize() -> [UInt8] { digest }
}
