import Foundation
import NetKit
import NetKitSupport
import NetKitTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A server that runs a script on each connection, byte for byte, on a thread of its own.
///
/// It is for what `MockServer` doesn't do: other addresses, other protocols, and not reading.
final class ScriptedServer: Sendable {
    /// Where a server listens, at a free port.
    enum Place: Sendable {
        case ipv4, ipv6
        case unix(String)
    }

    private struct State {
        var peers: [ObjectIdentifier: Peer] = [:]
        var accepted = 0
        var isStopped = false
    }

    private let listener: Int32
    private let state = Locked(State())
    private let received = Locked(0)
    /// 0 for a unix socket.
    let port: Int

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - place: The address.
    ///   - script: What is done with a connection, which closes when the script returns.
    /// - Throws: The system's error.
    init(_ place: Place = .ipv4, _ script: @escaping @Sendable (Peer) -> Void) throws {
        (listener, port) = try openNewListener(at: place)
        let (listener, state, received) = (listener, state, received)
        Thread.detachNewThread {
            while let descriptor = acceptConnection(from: listener) {
                let peer = state.withLock { state -> Peer? in
                    guard !state.isStopped else { return nil }
                    let peer = Peer(descriptor, number: state.accepted, received)
                    state.accepted += 1
                    state.peers[ObjectIdentifier(peer)] = peer
                    return peer
                }
                guard let peer else {
                    close(descriptor)
                    continue
                }
                Thread.detachNewThread {
                    script(peer)
                    peer.end()
                    state.withLock { $0.peers[ObjectIdentifier(peer)] = nil }
                }
            }
            close(listener)
        }
    }

    deinit { stop() }

    /// Ends all connections, and takes no more.
    func stop() {
        let peers = state.withLock { state -> [Peer]? in
            defer { state.isStopped = true }
            return state.isStopped ? nil : Array(state.peers.values)
        }
        guard let peers else { return }
        for peer in peers { peer.cut() }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    var url: String { "http://127.0.0.1:\(port)" }
    /// How many connections were made.
    var accepted: Int { state.withLock { $0.accepted } }
    /// How many connections are open.
    var connected: Int { state.withLock { $0.peers.count } }
    /// How many bytes were read.
    var receivedBytes: Int { received.withLock { $0 } }
}

/// A connection of a server, or one that a proxy makes, which one thread reads.
final class Peer: Sendable {
    /// Which connection of its server it is, counted from 0.
    let number: Int
    private let descriptor: Int32
    private let isOpen = Locked(true)
    private let unread = Locked<[UInt8]>([])
    private let received: Locked<Int>

    init(_ descriptor: Int32, number: Int = 0, _ received: Locked<Int> = Locked(0)) {
        (self.descriptor, self.number, self.received) = (descriptor, number, received)
    }

    deinit { end() }

    /// A connection to a port of 127.0.0.1; nil if it is refused.
    static func connecting(to port: Int) -> Peer? {
        let descriptor = socket(AF_INET, streamSocket, 0)
        preventSignals(of: descriptor)
        let isConnected = withIPv4Address(port) { connect(descriptor, $0, $1) == 0 }
        if isConnected { return Peer(descriptor) }
        close(descriptor)
        return nil
    }

    /// The address of the other end.
    var remoteAddress: String {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getpeername(descriptor, $0, &size)
            }
        }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            guard let start = text.baseAddress,
                inet_ntop(AF_INET, &address.sin_addr, start, 64) != nil
            else { return "" }
            return String(cString: start)
        }
    }

    // MARK: Reading

    /// The next bytes; none at the end.
    func read(_ maximum: Int = 65_536) -> [UInt8] {
        let kept = unread.withLock { unread in
            defer { unread.removeFirst(min(maximum, unread.count)) }
            return Array(unread.prefix(maximum))
        }
        guard kept.isEmpty else { return kept }
        let bytes = [UInt8](unsafeUninitializedCapacity: maximum) { buffer, count in
            repeat {
                count = recv(descriptor, buffer.baseAddress, maximum, 0)
            } while count < 0 && errno == EINTR
            count = max(0, count)
        }
        received.withLock { $0 += bytes.count }
        return bytes
    }

    /// So many bytes; fewer at the end.
    func readBytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = read(count - bytes.count)
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    /// The head of a request, with its blank line; nil at the end.
    func readHead() -> String? {
        var bytes: [UInt8] = []
        while true {
            let more = read()
            guard !more.isEmpty else { return nil }
            let start = max(0, bytes.count - 3)
            bytes += more
            guard
                let end = (start..<max(start, bytes.count - 3))
                    .first(where: {
                        bytes[$0..<$0 + 4].elementsEqual([13, 10, 13, 10])
                    })
            else { continue }
            let rest = Array(bytes[(end + 4)...])
            unread.withLock { $0 = rest + $0 }
            return String(decoding: bytes[..<(end + 4)], as: UTF8.self)
        }
    }

    /// A request with its body of a known length or in chunks; nil at the end.
    func readRequest() -> (head: String, body: [UInt8])? {
        guard let head = readHead() else { return nil }
        if head.lowercased().contains("\r\ntransfer-encoding: chunked") {
            var body: [UInt8] = []
            while !body.suffix(5).elementsEqual(Array("0\r\n\r\n".utf8)) {
                let more = read()
                guard !more.isEmpty else { return nil }
                body += more
            }
            return (head, body)
        }
        let count = head.field("Content-Length").flatMap { Int($0) } ?? 0
        let body = readBytes(count)
        return body.count == count ? (head, body) : nil
    }

    /// Reads and forgets until the other end closes.
    func readToEnd() { while !read().isEmpty {} }

    // MARK: Writing

    /// Writes all bytes, however long that takes, and returns whether it was possible.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = sendWithoutSignal(descriptor, part)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    // MARK: The end

    /// Makes ``end()`` reset the connection.
    func resetAtEnd() {
        var option = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
    }

    /// Closes the connection, by the thread that reads it.
    func end() {
        isOpen.withLock { isOpen in
            if isOpen { close(descriptor) }
            isOpen = false
        }
    }

    /// Ends reading and writing, from any thread.
    func cut() {
        isOpen.withLock { if $0 { _ = shutdown(descriptor, Int32(SHUT_RDWR)) } }
    }

    /// Copies bytes between two connections until one of them ends.
    func relay(to other: Peer) {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            other.copy(to: self)
            isDone.signal()
        }
        copy(to: other)
        isDone.wait()
    }

    private func copy(to other: Peer) {
        while true {
            let bytes = read()
            guard !bytes.isEmpty, other.write(bytes) else { break }
        }
        cut()
        other.cut()
    }
}

extension String {
    /// The value of a field in a head.
    func field(_ name: String) -> String? {
        for line in split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }
}

// MARK: The system

#if canImport(Glibc)
private let streamSocket = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
#elseif canImport(Musl)
private let streamSocket = SOCK_STREAM | SOCK_CLOEXEC
#else
private let streamSocket = SOCK_STREAM
#endif

private func sendWithoutSignal(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if os(Linux)
    send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
    send(descriptor, bytes.baseAddress, bytes.count, 0)
    #endif
}

/// Keeps a write to a closed connection from ending the process, where the write itself can't say so.
private func preventSignals(of descriptor: Int32) {
    #if canImport(Darwin)
    var isOn: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, size)
    #endif
}

private func acceptConnection(from listener: Int32) -> Int32? {
    while true {
        let descriptor = accept(listener, nil, nil)
        if descriptor >= 0 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            var isOn: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, size)
            preventSignals(of: descriptor)
            return descriptor
        }
        guard errno == EINTR || errno == ECONNABORTED else { return nil }
    }
}

private func withIPv4Address<Result>(
    _ port: Int,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    return withAddress(&address, body)
}

private func withAddress<Address, Result>(
    _ address: inout Address,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<Address>.size))
        }
    }
}

/// Opens a listener at a port that no earlier server of the process had.
private func openNewListener(
    at place: ScriptedServer.Place
) throws -> (listener: Int32, port: Int) {
    var others: [Int32] = []
    defer { for other in others { close(other) } }
    while true {
        let (listener, port) = try openListener(at: place)
        if port == 0 || UsedPorts.insert(port) || others.count == 64 { return (listener, port) }
        others.append(listener)
    }
}

private func openListener(at place: ScriptedServer.Place) throws -> (listener: Int32, port: Int) {
    let family =
        switch place {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    let descriptor = socket(family, streamSocket, 0)
    let isBound: Bool
    switch place {
    case .ipv4:
        isBound = withIPv4Address(0) { bind(descriptor, $0, $1) == 0 }
    case .ipv6:
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        isBound = withAddress(&address) { bind(descriptor, $0, $1) == 0 }
    case .unix(let path):
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        isBound = withAddress(&address) { bind(descriptor, $0, $1) == 0 }
    }
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let port = withUnsafeMutablePointer(to: &storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            _ = getsockname(descriptor, $0, &size)
        }
        // Both families have the port at the same place.
        return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            UInt16(bigEndian: $0.pointee.sin_port)
        }
    }
    guard descriptor >= 0, isBound, listen(descriptor, 512) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    if case .unix = place { return (descriptor, 0) }
    return (descriptor, Int(port))
}
