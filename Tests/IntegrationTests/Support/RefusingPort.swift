import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A port of a loopback address that refuses connections, and that no other server can take meanwhile.
final class RefusingPort: Sendable {
    let port: Int
    private let descriptor: Int32

    /// Binds a port without listening.
    ///
    /// - Parameters:
    ///   - port: The port. Defaults to 0, any free one.
    ///   - isIPv6: Whether it is a port of `::1`. Defaults to `false`, 127.0.0.1.
    /// - Throws: The system's error, such as for a port that another socket has.
    init(_ port: Int = 0, isIPv6: Bool = false) throws {
        #if canImport(Glibc)
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0)
        #endif
        let number = in_port_t(truncatingIfNeeded: port).bigEndian
        let code: Int32?
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            address.sin6_port = number
            code = bindAddress(&address, to: descriptor)
            self.port = Int(in_port_t(bigEndian: address.sin6_port))
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            address.sin_port = number
            code = bindAddress(&address, to: descriptor)
            self.port = Int(in_port_t(bigEndian: address.sin_port))
        }
        if let code { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    }

    deinit { close(descriptor) }
}

/// Binds a socket, and reads its address with the port that the system chose.
///
/// - Returns: The `errno` value of the failure, or nil on success.
private func bindAddress<Address>(_ address: inout Address, to descriptor: Int32) -> Int32? {
    var length = socklen_t(MemoryLayout<Address>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            let isBound =
                bind(descriptor, pointer, length) == 0
                && getsockname(descriptor, pointer, &length) == 0
            return isBound ? nil : errno
        }
    }
}
