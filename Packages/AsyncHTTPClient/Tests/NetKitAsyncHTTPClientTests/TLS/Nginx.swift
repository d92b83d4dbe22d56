import Foundation
import NIOCore
import NIOPosix

/// A real nginx on 127.0.0.1 with certificates that were made for it.
///
/// A shell beside it ends it and removes its folder when it is let go of, or when the process of the tests
/// ends, however it does.
final class Nginx: Sendable {
    /// What listens, each on a port of its own.
    enum Site: String, CaseIterable {
        /// HTTP/2 and HTTP/1.1 with a good certificate.
        case modern
        /// HTTP/1.1 alone, with a good certificate.
        case old
        /// A certificate of another host.
        case elsewhere
        /// A certificate of yesterday.
        case expired
        /// A good certificate, and it wants to see the client's.
        case mutual
        /// A certificate whose only name is the address 127.0.0.1.
        case address
        /// A certificate for `*`.
        case anyName
        /// A certificate that has a common name alone.
        case nameless
        /// TLS 1.1 and nothing newer.
        case outdated
        /// HTTP/2, five requests to a connection.
        case brief
        /// No TLS.
        case plain
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let folder: URL
    private let ports: [Site: Int]
    /// As long as this is open the server runs.
    private let lifeline = Pipe()

    /// The one server of all tests, which ends with their process.
    static let shared = Task { try await Nginx() }

    /// Makes the certificates, and starts a server of its own process.
    init() async throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("NetKitNginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await Self.makeCertificates(in: folder)
        // Right before nginx binds them, because other tests could be given them meanwhile.
        ports = try await Self.freePorts()
        let configuration = folder.appendingPathComponent("nginx.conf")
        try Self.configuration(folder.path, ports)
            .write(to: configuration, atomically: true, encoding: .utf8)
        try String(repeating: "0123456789", count: 20_000)
            .write(to: folder.appendingPathComponent("large"), atomically: true, encoding: .utf8)
        let larger = folder.appendingPathComponent("larger")
        try Data().write(to: larger)
        try FileHandle(forWritingTo: larger).truncate(atOffset: 128 << 20)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", Self.watching, folder.path]
        shell.standardInput = lifeline
        try shell.run()
        var isUp = false
        for _ in 0..<6_000 {
            isUp = await isListening
            if isUp { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        guard isUp else {
            let log = try? String(
                contentsOf: folder.appendingPathComponent("error.log"),
                encoding: .utf8
            )
            throw Failure(description: "nginx does not listen: \(log ?? "no log")")
        }
    }

    /// Where a path of a site is.
    func url(_ site: Site, _ path: String = "/", host: String = "localhost") -> String {
        "\(site == .plain ? "http" : "https")://\(host):\(ports[site] ?? 0)\(path)"
    }

    /// What is in a file that was made, such as `authority.pem`.
    func file(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }

    private var isListening: Bool {
        get async {
            for port in ports.values {
                let channel = try? await ClientBootstrap(
                    group: MultiThreadedEventLoopGroup.singleton
                )
                .connect(host: "127.0.0.1", port: port).get()
                guard let channel else { return false }
                try? await channel.close().get()
            }
            return true
        }
    }

    /// Ports that nobody listens on, all held at once so that no two are the same.
    private static func freePorts() async throws -> [Site: Int] {
        var holders: [any Channel] = []
        var ports: [Site: Int] = [:]
        for site in Site.allCases {
            let holder = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(host: "127.0.0.1", port: 0).get()
            holders.append(holder)
            ports[site] = holder.localAddress?.port
        }
        for holder in holders { try await holder.close().get() }
        return ports
    }

    private static func makeCertificates(in folder: URL) async throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", certificates]
        shell.currentDirectoryURL = folder
        let status = try await withCheckedThrowingContinuation { continuation in
            shell.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try shell.run()
            } catch {
                shell.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        guard status == 0 else { throw Failure(description: "openssl failed with \(status)") }
    }
}
