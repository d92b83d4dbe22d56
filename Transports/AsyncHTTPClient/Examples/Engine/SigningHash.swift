import Crypto

/// The SHA-256 of swift-crypto.
typealias SHA256 = Crypto.SHA256

extension Crypto.SHA256: AWSHash {}
