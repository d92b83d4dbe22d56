import NetKit
import NetKitSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A TCP socket on 127.0.0.1, for servers.
///
/// It never blocks, never raises SIGPIPE, and child processes don't inherit it. The owner must
/// release it once.
struct Socket: Sendable {
    /// The result of a read or a write.
    enum Transfer {
        case bytes(Int)
        case wouldBlock
        case ended
    }

    /// The result of accepting a connection.
    enum Acceptance {
        case connection(Socket)
        case noneWaiting
        case noDescriptorLeft
    }

    let descriptor: Int32

    /// Opens a listening socket on 127.0.0.1.
    ///
    /// - Parameter port: The port; 0 for a free one that no earlier socket of the process had.
    /// - Returns: The socket and its port.
    /// - Throws: ``MockServerError/cannotListen(port:reason:)``.
    static func listening(on port: Int) throws(MockServerError) -> (socket: Socket, port: Int) {
        // Those of used ports stay open until another one is found.
        var others: [Socket] = []
        defer { for other in others { other.release() } }
        while true {
            let (socket, number) = try bound(to: port)
            if UsedPorts.insert(number) || port != 0 || others.count == 64 {
                return (socket, number)
            }
            others.append(socket)
        }
    }

    private static func bound(
        to port: Int
    ) throws(MockServerError) -> (socket: Socket, port: Int) {
        guard let number = UInt16(exactly: port) else {
            throw .cannotListen(port: port, reason: "not a port number")
        }
        let descriptor = unconnectedDescriptor()
        guard descriptor >= 0 else { throw .cannotListen(port: port, reason: lastErrorText) }
        let listener = Socket(descriptor: descriptor)
        listener.setOption(SOL_SOCKET, SO_REUSEADDR, 1)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let outcome = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(descriptor, address, size) == 0 else { return false }
                guard listen(descriptor, 1024) == 0 else { return false }
                return getsockname(descriptor, address, &size) == 0
            }
        }
        guard outcome else {
            let reason = lastErrorText
            listener.release()
            throw .cannotListen(port: port, reason: reason)
        }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Accepts the next pending connection.
    func nextConnection() -> Acceptance {
        while true {
            let accepted = Self.acceptedDescriptor(from: descriptor)
            if accepted >= 0 {
                let connection = Socket(descriptor: accepted)
                connection.setOption(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
                return .connection(connection)
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .noDescriptorLeft
            default: return .noneWaiting
            }
        }
    }

    /// Reads received bytes.
    ///
    /// The result is `.ended` when the peer has closed or reset the connection.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        transfer { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    /// Whether there is at least one byte to read.
    ///
    /// The end of the connection doesn't count.
    var hasBytes: Bool {
        var byte: UInt8 = 0
        guard case .bytes = transfer({ recv(descriptor, &byte, 1, Int32(MSG_PEEK)) }) else {
            return false
        }
        return true
    }

    /// Writes as much as the socket accepts.
    ///
    /// The result is `.ended` when the peer is gone.
    func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        transfer { Self.sendWithoutSignal(descriptor, bytes) }
    }

    /// The number of written bytes that the peer's system hasn't acknowledged.
    var unconfirmedBytes: Int {
        var count: Int32 = 0
        #if os(Linux)
        guard ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 else { return 0 }
        #else
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size) == 0 else { return 0 }
        #endif
        return Int(count)
    }

    /// Makes ``release()`` reset the connection instead of closing it in order.
    func resetOnRelease() {
        var option = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
    }

    /// Shuts down the writing side.
    func finishWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes the descriptor.
    func release() {
        close(descriptor)
    }

    private func transfer(_ attempt: () -> Int) -> Transfer {
        while true {
            let count = attempt()
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            if errno == EINTR { continue }
            return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .ended
        }
    }

    private func setOption(_ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static var lastErrorText: String { String(cString: strerror(errno)) }
}

/// The ports that servers of the process have had.
///
/// The client of a stopped server may still send to its port, and another test's server must not count that.
package enum UsedPorts {
    private static let ports = Locked<Set<Int>>([])

    /// Inserts a port, and returns whether it is new.
    package static func insert(_ port: Int) -> Bool { ports.withLock { $0.insert(port).inserted } }
}

// Differences between systems.
extension Socket {
    private static func unconnectedDescriptor() -> Int32 {
        #if canImport(Darwin)
        prepared(socket(AF_INET, SOCK_STREAM, 0))
        #else
        prepared(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        #endif
    }

    private static func acceptedDescriptor(from listener: Int32) -> Int32 {
        prepared(accept(listener, nil, nil))
    }

    private static func prepared(_ descriptor: Int32) -> Int32 {
        guard descriptor >= 0 else { return descriptor }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
        Socket(descriptor: descriptor).setOption(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
        return descriptor
    }

    private static func sendWithoutSignal(
        _ descriptor: Int32,
        _ bytes: UnsafeRawBufferPointer
    ) -> Int {
        #if canImport(Glibc)
        Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #elseif canImport(Musl)
        Musl.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #else
        Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #endif
    }
}
