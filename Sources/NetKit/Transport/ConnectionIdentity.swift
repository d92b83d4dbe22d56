public import Foundation
package import NetKitSupport

/// A transport that says what it knows of its connections.
///
/// It is for NetKit's own transports. Nothing is known of the connections of others: their `private` responses aren't
/// shared with other transports.
@_spi(Transports) public protocol PoolingTransport: Transport {
    /// A text that no transport with another credential, such as a client certificate, has, or nil if the connections
    /// carry none.
    var connectionIdentity: String? { get }
    /// The initial ``Endpoint/maximumConcurrentRequestsPerHost`` of an endpoint over the transport.
    var maximumConnectionsPerHost: Int { get }
}

/// A transport that sends over another one.
package protocol WrappingTransport: Transport {
    /// The transport that has the connections.
    var wrapped: any Transport { get }
}

extension Transport {
    /// The transport that has the connections, if it says what it knows of them.
    var pool: (any PoolingTransport)? {
        var transport: any Transport = self
        while let wrapper = transport as? any WrappingTransport { transport = wrapper.wrapped }
        return transport as? any PoolingTransport
    }
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
        if let pool = transport.pool {
            self = pool.connectionIdentity.map { .known($0) } ?? .none
        } else {
            self = .undisclosed(ProcessUniqueID())
        }
    }
}

extension Data {
    /// The SHA-256 hash, for the nested packages, which would otherwise build a library for it.
    @_spi(Hashing) public var sha256: [UInt8] { SHA256.digest(of: Array(self)) }
}
