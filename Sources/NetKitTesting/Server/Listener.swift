import Dispatch
import NetKit
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Accepts a server's connections.
final class Listener: Sendable {
    let port: Int
    private let source: Locked<any DispatchSourceRead>

    /// Listens at once; connections that come before ``resume`` wait.
    ///
    /// - Throws: ``MockServerError/cannotListen(port:reason:)``.
    init(port: Int, core: ServerCore) throws(MockServerError) {
        let (socket, port) = try Socket.listening(on: port)
        self.port = port
        let source = DispatchSource.makeReadSource(
            fileDescriptor: socket.descriptor,
            queue: DispatchQueue(label: "NetKitTesting.listener", qos: .userInitiated)
        )
        core.descriptors.enter()
        source.setEventHandler { Self.acceptAll(from: socket, for: core) }
        source.setCancelHandler {
            socket.release()
            core.descriptors.leave()
        }
        source.activate()
        self.source = Locked(source)
    }

    /// Stops listening; the descriptor is given back a moment later.
    func cancel() {
        source.withLock { $0.cancel() }
    }

    private static func acceptAll(from listener: Socket, for core: ServerCore) {
        while true {
            switch listener.nextConnection() {
            case .connection(let socket): Connection.begin(on: socket, of: core)
            case .noneWaiting: return
            case .noDescriptorLeft:
                // The connection goes on waiting, and we are called again at once: not too soon.
                usleep(1000)
                return
            }
        }
    }
}
