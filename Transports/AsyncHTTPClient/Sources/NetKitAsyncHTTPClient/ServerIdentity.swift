internal import Foundation
internal import NIOCore
internal import NIOSSL
internal import NetKit

/// Whose certificate a server has shown, by its subject alternative names (RFC 9525, section 6).
///
/// SwiftNIO has checked it already, and lets a few too many through: a certificate for the address of the
/// server, whatever host was asked for, one for `*`, and one that has a common name alone.
struct ServerIdentity: Sendable {
    /// DNS names in lower case, without a dot at the end.
    let names: [String]
    /// IP addresses as they are on the wire.
    let addresses: [[UInt8]]

    init(names: [String], addresses: [[UInt8]]) {
        self.names = names.map(Self.normalized)
        self.addresses = addresses
    }

    /// Reads a certificate.
    init(of certificate: NIOSSLCertificate) {
        var names: [String] = []
        var addresses: [[UInt8]] = []
        // The underscore stands for an interface that may change; there is no other to these names.
        for name in certificate._subjectAlternativeNames() {
            switch name.nameType {
            case .dnsName: names.append(String(decoding: name.contents, as: UTF8.self))
            case .ipAddress: addresses.append(Array(name.contents))
            default: break
            }
        }
        self.init(names: names, addresses: addresses)
    }

    /// Whether the certificate is one of a host.
    ///
    /// - Parameter host: A name or an address, as in the URL.
    /// - Returns: Whether one of its names is the host's.
    func isValid(for host: String) -> Bool {
        if let address = Self.address(host) { return addresses.contains(address) }
        let host = Self.normalized(host)
        return !host.isEmpty && names.contains { Self.matches($0, host) }
    }

    /// Whether a name of a certificate is a host's: `*` stands for the whole of the first label, and two
    /// labels follow it at least.
    private static func matches(_ name: String, _ host: String) -> Bool {
        guard name.hasPrefix("*.") else { return name == host }
        let rest = name.dropFirst()
        guard rest.dropFirst().contains("."), let dot = host.firstIndex(of: ".") else {
            return false
        }
        return dot > host.startIndex && host[dot...] == rest
    }

    private static func normalized(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// The bytes of an address; nil for a name.
    private static func address(_ host: String) -> [UInt8]? {
        let literal = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return switch try? SocketAddress(ipAddress: literal, port: 0) {
        case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        case .unixDomainSocket, nil: nil
        }
    }
}

/// The server's certificate is trusted, and names other hosts than the one that was asked for.
struct ServerIdentityMismatch: DescribedCause {
    let description = "the server's certificate is not one of this host"
}
