public import Foundation
import NetKitSupport

/// A transport that knows whether its connections carry a credential, such as a client certificate.
///
/// It is for NetKit's own transports. It isn't known of any other transport, and their `private` responses aren't shared
/// with other transports.
@_spi(Transports) public protocol IdentifiedTransport: Transport {
    /// A text that no transport with another credential has, or nil if the connections carry none.
    var connectionIdentity: String? { get }
}

/// A transport that sends over another one.
package protocol WrappingTransport: Transport {
    /// The transport that has the connections.
    var wrapped: any Transport { get }
}

/// The user that the connections of a transport stand for.
package enum ConnectionIdentity: Hashable, Sendable {
    /// The connections carry no credential.
    case none
    /// The connections carry a credential.
    case known(String)
    /// The transport doesn't say.
    case undisclosed(ProcessUniqueID)

    /// Creates the identity of a transport's connections.
    ///
    /// A transport that doesn't say gets a new one.
    init(of transport: any Transport) {
        var transport = transport
        while let wrapper = transport as? any WrappingTransport { transport = wrapper.wrapped }
        if let identified = transport as? any IdentifiedTransport {
            self = identified.connectionIdentity.map { .known($0) } ?? .none
        } else {
            self = .undisclosed(ProcessUniqueID())
        }
    }
}

extension Data {
    /// The SHA-256 hash, for the nested packages, which would otherwise build a library for it.
    @_spi(Hashing) public var sha256: [UInt8] {
        var message = HashedMessage<SHA256>()
        message.add(Array(self)[...])
        return message.digest
    }
}
