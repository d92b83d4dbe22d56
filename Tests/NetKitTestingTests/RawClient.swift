import Foundation
import Testing

/// A client that sends exactly the bytes it is given, and reads what comes.
///
/// Reading gives up after five minutes, so that a test that hangs fails instead.
final class RawClient {
    private let descriptor: Int32
    private var isOpen = true

    init(port: Int) throws {
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var timeout = timeval(tv_sec: 300, tv_usec: 0)
        let timeoutSize = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, timeoutSize)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, timeoutSize)
        #if canImport(Darwin)
        var isOn: Int32 = 1
        let optionSize = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, optionSize)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, size)
            }
        }
        guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    deinit { close() }

    func close() {
        guard isOpen else { return }
        isOpen = false
        _ = Foundation.close(descriptor)
    }

    /// Closes with a reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    func finishWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Sends all of the bytes, in order.
    ///
    /// - Returns: How many the system took before the server closed the connection.
    @discardableResult
    func send(_ bytes: Data) -> Int {
        var sent = 0
        while sent < bytes.count {
            #if canImport(Darwin)
            let flags: Int32 = 0
            #else
            let flags = Int32(MSG_NOSIGNAL)
            #endif
            let count = bytes.withUnsafeBytes { buffer in
                Foundation.send(
                    descriptor,
                    buffer.baseAddress.map { $0 + sent },
                    buffer.count - sent,
                    flags
                )
            }
            guard count > 0 else { break }
            sent += count
        }
        return sent
    }

    @discardableResult
    func send(_ text: String) -> Int { send(Data(text.utf8)) }

    /// How a read ended.
    enum End: Equatable {
        case closed, reset, timedOut, enough
    }

    /// Reads until the server closes the connection, or until the text has arrived.
    func read(until isEnough: (Data) -> Bool = { _ in false }) -> (bytes: Data, end: End) {
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(bytes) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 { return (bytes, .closed) }
            if count < 0 { return (bytes, errno == ECONNRESET ? .reset : .timedOut) }
            bytes.append(contentsOf: buffer[..<count])
        }
        return (bytes, .enough)
    }

    /// Reads until the server closes the connection.
    func readText() -> String {
        String(decoding: read().bytes, as: UTF8.self)
    }

    /// Reads until a text has arrived in full.
    func readText(until end: String) -> String {
        let wanted = Data(end.utf8)
        return String(
            decoding: read { wanted.isEmpty || $0.range(of: wanted) != nil }.bytes,
            as: UTF8.self
        )
    }
}
