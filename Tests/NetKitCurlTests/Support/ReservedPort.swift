import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A port of a loopback address that refuses connections, and that no other server can take meanwhile.
final class ReservedPort: Sendable {
    private let descriptor: Int32

    /// Binds a port without listening, or returns nil if another socket has it.
    init?(_ port: Int, isIPv6: Bool) {
        #if canImport(Glibc)
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        let number = in_port_t(truncatingIfNeeded: port).bigEndian
        let isBound: Bool
        if isIPv6 {
            var isAlone: Int32 = 1
            setsockopt(
                descriptor,
                Int32(IPPROTO_IPV6),
                IPV6_V6ONLY,
                &isAlone,
                socklen_t(MemoryLayout<Int32>.size)
            )
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            address.sin6_port = number
            isBound = Self.bindSocket(descriptor, to: &address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            address.sin_port = number
            isBound = Self.bindSocket(descriptor, to: &address)
        }
        guard isBound else { return nil }
    }

    deinit { close(descriptor) }

    private static func bindSocket<Address>(_ descriptor: Int32, to address: inout Address) -> Bool
    {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, socklen_t(MemoryLayout<Address>.size)) == 0
            }
        }
    }
}
