import Foundation
import NetKit
@testable import NetKitCurl
import NetKitSupport
import NetKitTesting
import Testing

@Suite("Addresses over libcurl", .timeLimit(.minutes(15)))
struct CurlAddressTests {
    /// A server that answers each request with the address of the client.
    private static func server(_ place: ScriptedServer.Place = .ipv4) throws -> ScriptedServer {
        try ScriptedServer(place) { peer in
            while peer.readRequest() != nil {
                let text = peer.remoteAddress
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
            }
        }
    }

    /// A server, and its port at the other loopback address, where another server would answer instead.
    private static func serverAlone(isIPv6: Bool) throws -> (ScriptedServer, other: RefusingPort) {
        for _ in 0..<100 {
            let server = try server(isIPv6 ? .ipv6 : .ipv4)
            if let other = try? RefusingPort(server.port, isIPv6: !isIPv6) {
                return (server, other)
            }
        }
        throw POSIXError(.EADDRINUSE)
    }

    // MARK: Where connections go

    @Test("can be IPv6 literals")
    func ipv6() async throws {
        let server = try Self.server(.ipv6)
        let received = await Received.get("http://[::1]:\(server.port)/", over: curl())
        #expect(received.isWhole)
        #expect(received.head?.connection?.remoteAddress == "[::1]:\(server.port)")
    }

    /// libcurl itself knows both addresses of this name.
    @Test("of one name are tried until one takes the connection", arguments: [true, false])
    func severalAddresses(isIPv6: Bool) async throws {
        let (server, other) = try Self.serverAlone(isIPv6: isIPv6)
        defer { withExtendedLifetime(other) {} }
        let transport = curl()
        for _ in 0..<2 {
            let received = await Received.get("http://localhost:\(server.port)/", over: transport)
            #expect(received.isWhole)
            let address = received.head?.connection?.remoteAddress
            #expect(address == "\(isIPv6 ? "[::1]" : "127.0.0.1"):\(server.port)")
        }
        #expect(server.accepted == 1)
    }

    @Test("of one name are tried at once if more than one can't be reached")
    func unreachableAddresses() async throws {
        let server = try Self.server()
        // Half of it is libcurl's own limit for an address.
        let transport = curl {
            $0.connectTimeout = .seconds(7_200)
            $0.resolved = ["a.test:\(server.port):127.0.0.2,127.0.0.3,127.0.0.4,127.0.0.1"]
        }
        let received = await Received.get("http://a.test:\(server.port)/", over: transport)
        #expect(received.isWhole)
        #expect(received.head?.connection?.remoteAddress == "127.0.0.1:\(server.port)")
    }

    @Test("of one name that aren't allowed give way to one that is", arguments: [true, false])
    func allowedAddress(isIPv6: Bool) async throws {
        let server = try Self.server(isIPv6 ? .ipv6 : .ipv4)
        let allowed = isIPv6 ? "::1" : "127.0.0.1"
        let transport = curl { $0.allowedAddresses = .custom { $0 == allowed } }
        let received = await Received.get("http://localhost:\(server.port)/", over: transport)
        #expect(received.isWhole)
        #expect(server.accepted == 1)
    }

    @Test("override a host and a port alone, and only these")
    func overrides() async throws {
        let (first, second) = (try Self.server(), try Self.server(.ipv6))
        let transport = curl {
            $0.addressOverrides = [
                "a.test:80": "127.0.0.1:\(first.port)", "a.test:81": "[::1]:\(second.port)",
                "[2001:db8::1]:80": "127.0.0.1:\(first.port)",
            ]
        }
        #expect(await Received.get("http://a.test/", over: transport).text == "127.0.0.1")
        #expect(await Received.get("http://a.test:81/", over: transport).isWhole)
        #expect(await Received.get("http://[2001:db8::1]/", over: transport).isWhole)
        #expect(first.accepted == 2 && second.accepted == 1)
        let label = String(repeating: "b", count: 64)
        let other = await Received.get("http://\(label).test/", over: transport)
        #expect(other.error?.kind == .cannotFindHost)
    }

    @Test(
        "that override others are refused unless they are host:port",
        arguments: [
            ("a.test:80", "127.0.0.1"), ("a.test:80", "127.0.0.1:"), ("a.test:80", "127.0.0.1:x"),
            ("a.test:80", "127.0.0.1:0"), ("a.test:80", "127.0.0.1:65536"), ("a.test:80", ":81"),
            ("a.test:80", ""), ("a.test:80", "::1:81"), ("a.test:80", "[127.0.0.1]:81"),
            ("a.test:80", "[]:81"), ("a.test:80", "http://b.test:81"), ("a.test:80", "b.test:+1"),
            ("a.test", "127.0.0.1:81"), ("2001:db8::1:80", "127.0.0.1:81"),
            ("https://a.test:80", "127.0.0.1:81"), ("a.test:80 ", "127.0.0.1:81"),
        ]
    )
    func malformedOverrides(host: String, address: String) async throws {
        let server = try Self.server()
        let transport = curl { $0.addressOverrides = [host: address, "b.test:80": "127.0.0.1:81"] }
        let received = await Received.get(server.url, over: transport)
        #expect(received.error?.kind == .unsupported)
        #expect(server.accepted == 0)
    }

    @Test("of unix sockets serve every host, and fail when nobody listens")
    func unixSocket() async throws {
        let folder = try SocketFolder()
        let transport = curl {
            $0.unixSocketPath = folder.path
            $0.allowedAddresses = .publicOnly
        }
        let none = await Received.get("http://docker/info", over: transport)
        #expect(none.error?.kind == .cannotConnect)
        let hosts = Locked<[String?]>([])
        let server = try ScriptedServer(.unix(folder.path)) { peer in
            while let request = peer.readRequest() {
                hosts.withLock { $0.append(request.head.field("Host")) }
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        for host in ["docker", "docker", "127.0.0.1:1"] {
            let received = await Received.get("http://\(host)/info", over: transport)
            #expect(received.text == "ok")
            #expect(received.head?.connection?.remoteAddress == nil)
        }
        #expect(hosts.withLock { $0 } == ["docker", "docker", "127.0.0.1:1"])
        #expect(server.accepted == 2)
    }

    @Test("can be those that connections come from")
    func localInterface() async throws {
        let server = try Self.server()
        for (interface, address) in [("127.0.0.2", "127.0.0.2"), ("lo", "127.0.0.1")] {
            let transport = curl { $0.localInterface = interface }
            #expect(await Received.get(server.url, over: transport).text == address)
        }
        let transport = curl { $0.localInterface = "192.0.2.77" }
        let received = await Received.get(server.url, over: transport)
        #expect(received.error?.kind == .cannotConnect)
        #expect(server.accepted == 2)
    }

    @Test("of ever more hosts leave descriptors: the oldest idle connections close")
    func manyHosts() async {
        await #expect(processExitsWith: .success) {
            closeInheritedSockets()
            let server = try Self.server()
            let hosts = (0..<80).map { "host\($0).test" }
            let overrides = hosts.map { ("\($0):80", "127.0.0.1:\(server.port)") }
            let transport = curl {
                $0.addressOverrides = Dictionary(overrides, uniquingKeysWith: { $1 })
            }
            // Read with the first request. The server has descriptors in this process, too.
            let limit = setDescriptorLimit(120)
            for host in hosts {
                #expect(await Received.get("http://\(host)/", over: transport).isWhole)
                setDescriptorLimit(limit)
            }
            for host in [hosts[79], hosts[0]] {
                #expect(await Received.get("http://\(host)/", over: transport).isWhole)
            }
            #expect(server.accepted == 81)
        }
    }

    #if os(Linux)
    /// Gives the current thread a table of descriptors of its own, and returns whether the system allows it.
    private static func separateDescriptors() -> Bool {
        guard let function = dlsym(nil, "unshare") else { return false }
        let unshare = unsafeBitCast(function, to: (@convention(c) (Int32) -> Int32).self)
        return unshare(0x400) == 0  // CLONE_FILES
    }

    private static let canSeparateDescriptors: Bool = {
        let (isAllowed, isKnown) = (Locked(false), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            isAllowed.withLock { $0 = separateDescriptors() }
            isKnown.signal()
        }
        isKnown.wait()
        return isAllowed.withLock { $0 }
    }()

    // Some containers don't allow it.
    @Test("say that the process has no descriptors left", .enabled(if: canSeparateDescriptors))
    func noDescriptors() async {
        await #expect(processExitsWith: .success) {
            let server = try Self.server()
            setDescriptorLimit(256)
            let transport = curl {
                $0.allowedAddresses = .custom { _ in
                    // The thread of the transport gets its own table of descriptors, and fills it. Others have room.
                    guard Self.separateDescriptors() else { return true }
                    while open("/dev/null", O_RDONLY) >= 0 {}
                    return true
                }
            }
            let received = await Received.get("http://127.0.0.1:\(server.port)/", over: transport)
            #expect(received.error?.kind == .cannotConnect)
            // libcurl 8.21 leaves out the address.
            let message = received.error?.message ?? ""
            #expect(message.hasSuffix("too many open files"), "\(message)")
        }
    }
    #endif

    // MARK: Guarding the own network

    /// Hosts in all notations that lead to no public address, with a part for the port of a server on all addresses.
    private static let privateHosts = [
        // Loopback, in the spellings that resolvers take.
        "127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "2130706433", "0x7f000001",
        "0x7f.0.0.1", "0x7F.1", "017700000001", "0177.0.0.1", "0177.0.0.01", "127.0.0.0x1",
        "localhost", "LOCALHOST", "a.localhost", "[::1]", "[0:0:0:0:0:0:0:1]",
        // Any address, which means this machine.
        "0.0.0.0", "0", "0x0", "0.0.0.1", "[::]",
        // IPv4 in IPv6: mapped, compatible, translated, 6to4.
        "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:10.0.0.1]", "[::127.0.0.1]",
        "[64:ff9b::127.0.0.1]", "[64:ff9b:1::10.0.0.1]", "[2002:7f00:1::]", "[2002:a00:1::1]",
        // Private, shared, link-local, unique-local.
        "10.0.0.1", "012.0.0.1", "172.16.0.1", "192.168.0.1", "3232235521", "100.64.0.1",
        "169.254.169.254", "0xA9FEA9FE", "[fe80::1]", "[fd00::1]", "[fc00::1]", "[fec0::1]",
        // Broadcast, multicast, reserved, documentation, Teredo.
        "255.255.255.255", "224.0.0.1", "240.0.0.1", "192.0.2.1", "198.18.0.1", "[ff02::1]",
        "[2001:db8::1]", "[2001::1]", "[100::1]",
    ]

    @Test("that aren't public get no byte, in any notation", arguments: privateHosts)
    func publicOnly(host: String) async throws {
        let (ipv4, ipv6) = (try Self.server(), try Self.server(.ipv6))
        let transport = curl { $0.allowedAddresses = .publicOnly }
        for port in [ipv4.port, ipv6.port] {
            let received = await Received.get("http://\(host):\(port)/x", over: transport)
            // Some of these are no host for NetKit or libcurl, which is just as well.
            let error = try #require(received.error)
            let kinds: [TransportError.Kind] = [.cannotConnect, .unsupported, .cannotFindHost]
            #expect(kinds.contains(error.kind), "\(error)")
            if error.kind == .cannotConnect {
                #expect(error.message.contains("is not an allowed address"), "\(error)")
            }
        }
        #expect(ipv4.accepted == 0 && ipv6.accepted == 0)
    }

    @Test("that are public are connected to")
    func publicAddress() async throws {
        let asked = Locked<[String]>([])
        let policy = CurlTransport.AddressPolicy.custom { address in
            asked.withLock { $0.append(address) }
            return false
        }
        let transport = curl { $0.allowedAddresses = policy }
        for host in ["8.8.8.8", "[2606:4700::1111]", "134744072", "[::ffff:8.8.8.8]"] {
            _ = await Received.get("http://\(host):9/", over: transport)
        }
        // The closure sees what is connected to, however it was written.
        #expect(
            asked.withLock { $0 } == ["8.8.8.8", "2606:4700::1111", "8.8.8.8", "::ffff:8.8.8.8"]
        )
    }

    @Test("behind a public name are checked, too")
    func rebinding() async throws {
        let server = try Self.server()
        let transport = curl {
            $0.allowedAddresses = .publicOnly
            $0.addressOverrides = ["public.test:80": "127.0.0.1:\(server.port)"]
        }
        let received = await Received.get("http://public.test/", over: transport)
        #expect(received.error?.message.contains("not an allowed address") == true)
        #expect(server.accepted == 0)
    }

    @Test("are checked for a redirect, after the response before it")
    func redirect() async throws {
        let inner = try Self.server()
        let outer = try MockServer()
        outer.route(nil, "/x") { _ in .redirect(to: "http://127.0.0.2:\(inner.port)/") }
        let transport = curl { $0.allowedAddresses = .custom { $0 == "127.0.0.1" } }
        let endpoint = Endpoint(baseURL: outer.baseURL, transport: transport, retryingCount: 0)
        await #expect {
            _ = try await endpoint.value(
                for: DefaultRequest<String, ServerMessage>(path: "x", method: .get)
            )
        } throws: {
            "\($0)".contains("127.0.0.2 is not an allowed address")
        }
        #expect(outer.requests.count == 1 && inner.accepted == 0)
    }

    @Test("that another transport may use give it no kept connection")
    func keptConnection() async throws {
        let server = try Self.server()
        let open = curl()
        #expect(await Received.get(server.url, over: open).isWhole)
        let bytes = server.receivedBytes
        let guarded = curl { $0.allowedAddresses = .publicOnly }
        for _ in 0..<3 {
            #expect(await Received.get(server.url, over: guarded).error?.kind == .cannotConnect)
        }
        #expect(server.accepted == 1 && server.receivedBytes == bytes)
        #expect(await Received.get(server.url, over: open).isWhole)
        #expect(server.accepted == 1)
    }

    @Test("are asked about once for each connection, and never for a kept one")
    func asked() async throws {
        let server = try Self.server()
        let answers = Locked([true])
        let transport = curl {
            $0.allowedAddresses = .custom { _ in answers.withLock { $0.popLast() ?? false } }
        }
        for _ in 0..<3 { #expect(await Received.get(server.url, over: transport).isWhole) }
        server.stop()
        #expect(await Received.get(server.url, over: transport).error?.kind == .cannotConnect)
        #expect(server.accepted == 1)
    }
}
