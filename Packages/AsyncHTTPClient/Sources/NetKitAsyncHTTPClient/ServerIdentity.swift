internal import Foundation
internal import NIOCore
internal import NIOSSL
internal import NetKit

/// The hosts of a server's certificate, by its subject alternative names (RFC 9525, section 6).
///
/// SwiftNIO has already checked it but accepts too much. It accepts a certificate for the server's IP address whatever
/// the requested host, one for `*`, and one with only a common name.
struct ServerIdentity: Sendable {
    /// The DNS names in lowercase, without a trailing dot.
    let names: [String]
    /// The IP addresses in network byte order.
    let addresses: [[UInt8]]

    init(names: [String], addresses: [[UInt8]]) {
        self.names = names.map(Self.normalized)
        self.addresses = addresses
    }

    /// Extracts the names of a certificate.
    init(of certificate: NIOSSLCertificate) {
        var names: [String] = []
        var addresses: [[UInt8]] = []
        // The underscore marks unstable API, but there is no other way to get these names.
        for name in certificate._subjectAlternativeNames() {
            switch name.nameType {
            case .dnsName: names.append(String(decoding: name.contents, as: UTF8.self))
            case .ipAddress: addresses.append(Array(name.contents))
            default: break
            }
        }
        self.init(names: names, addresses: addresses)
    }

    /// Returns whether the certificate is valid for a host.
    ///
    /// - Parameter host: A hostname or an IP address, as in the URL.
    /// - Returns: Whether one of its names matches the host.
    func isValid(for host: String) -> Bool {
        if let address = Self.address(host) { return addresses.contains(address) }
        let host = Self.normalized(host)
        return !host.isEmpty && names.contains { Self.matches($0, host) }
    }

    /// Returns whether a certificate's name matches a host.
    ///
    /// `*` stands for the whole first label and must be followed by at least two labels.
    private static func matches(_ name: String, _ host: String) -> Bool {
        guard name.hasPrefix("*.") else { return name == host }
        let rest = name.dropFirst()
        guard rest.dropFirst().contains("."), let dot = host.firstIndex(of: ".") else {
            return false
        }
        return dot > host.startIndex && host[dot...] == rest
    }

    /// A DNS name in lower case, without a dot at the end.
    static func normalized(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// Returns the bytes of an IP address, or nil for a hostname.
    static func address(_ host: String) -> [UInt8]? {
        let literal = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return switch try? SocketAddress(ipAddress: literal, port: 0) {
        case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        case .unixDomainSocket, nil: nil
        }
    }
}

/// An error for a server whose trusted certificate is for other hosts.
struct ServerIdentityMismatch: DescribedCause {
    let description = "the server's certificate is not one of this host"
}
