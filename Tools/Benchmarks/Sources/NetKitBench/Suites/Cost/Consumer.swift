import Foundation

/// A package with one request, as a user of a client begins: what the suite `cost` builds.
struct Consumer: Equatable, Sendable {
    let name: String
    let title: String
    /// The lines of the manifest's `dependencies`.
    var dependencies: [String] = []
    /// The products that the target depends on.
    var products: [String] = []
    /// The text of `main.swift`.
    ///
    /// The program is given the server's URL as its argument and prints the item's number.
    let main: String

    /// The manifest.
    var manifest: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "Consumer",
            platforms: [.macOS(.v14)],
            dependencies: [\(dependencies.joined(separator: ", "))],
            targets: [
                .executableTarget(
                    name: "Consumer",
                    dependencies: [\(products.joined(separator: ", "))],
                    path: "Sources"
                )
            ]
        )

        """
    }

    /// Writes the package.
    ///
    /// - Throws: When a file cannot be written.
    func write(to folder: URL) throws {
        let sources = folder.appendingPathComponent("Sources", isDirectory: true)
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        try Data(manifest.utf8).write(to: folder.appendingPathComponent("Package.swift"))
        try Data(main.utf8).write(to: sources.appendingPathComponent("main.swift"))
    }
}

extension Consumer {
    /// What every program prints that has decoded the item.
    static let output = "\(Item.sample.id)"

    /// What all programs begin with.
    private static let start = """
        import Foundation

        #if canImport(FoundationNetworking)
        import FoundationNetworking
        #endif

        struct Item: Decodable, Sendable { let id: Int }
        let url = URL(string: CommandLine.arguments[1])!

        """

    /// A program that makes no request: what any program costs.
    static let empty = Consumer(name: "empty", title: "no request", main: "print(\(output))\n")

    static let raw = Consumer(
        name: "raw",
        title: "raw URLSession",
        main: start + """
            let (data, _) = try await URLSession.shared.data(from: url.appendingPathComponent("item"))
            print(try JSONDecoder().decode(Item.self, from: data).id)

            """
    )

    /// A request over NetKit.
    ///
    /// - Parameter repository: The folder of NetKit's package.
    /// - Returns: The package.
    static func netKit(_ repository: String) -> Consumer {
        Consumer(
            name: "netkit",
            title: "NetKit",
            dependencies: [package("NetKit", repository)],
            products: [product("NetKit", "NetKit")],
            main: "import NetKit\n" + start + netKitRequest(transport: "")
        )
    }

    /// A request over NetKit over libcurl.
    ///
    /// - Parameter repository: The folder of NetKit's package.
    /// - Returns: The package.
    static func netKitOverCurl(_ repository: String) -> Consumer {
        Consumer(
            name: "netkit-over-curl",
            title: "NetKit over libcurl",
            dependencies: [package("NetKit", repository)],
            products: [product("NetKit", "NetKit"), product("NetKitCurl", "NetKit")],
            main: "import NetKit\nimport NetKitCurl\n" + start
                + netKitRequest(transport: ", transport: CurlTransport()")
        )
    }

    /// A request over NetKit over AsyncHTTPClient.
    ///
    /// - Parameter repository: The folder of NetKit's package.
    /// - Returns: The package.
    static func netKitOverAsyncHTTPClient(_ repository: String) -> Consumer {
        Consumer(
            name: "netkit-over-async-http-client",
            title: "NetKit over AsyncHTTPClient",
            dependencies: [
                package("NetKit", repository),
                package("NetKitAsyncHTTPClient", repository + "/Packages/AsyncHTTPClient"),
            ],
            products: [
                product("NetKit", "NetKit"),
                product("NetKitAsyncHTTPClient", "NetKitAsyncHTTPClient"),
            ],
            main: "import NetKit\nimport NetKitAsyncHTTPClient\n" + start
                + netKitRequest(transport: ", transport: AsyncHTTPClientTransport()")
        )
    }

    static let asyncHTTPClient = Consumer(
        name: "async-http-client",
        title: "AsyncHTTPClient",
        dependencies: [
            #".package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0")"#
        ],
        products: [product("AsyncHTTPClient", "async-http-client")],
        main: "import AsyncHTTPClient\n" + start + """
            let request = HTTPClientRequest(url: url.absoluteString + "/item")
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
            let body = try await response.body.collect(upTo: 1 << 20)
            print(try JSONDecoder().decode(Item.self, from: Data(body.readableBytesView)).id)

            """
    )

    /// A request over a client of which there is a local checkout.
    init?(_ peer: LocalPeer) {
        switch peer.name {
        case "alamofire", "alamofire-patched":
            self.init(
                name: peer.name,
                title: "Alamofire",
                dependencies: [Self.package("Alamofire", peer.path)],
                products: [Self.product("Alamofire", "Alamofire")],
                main: "import Alamofire\n" + Self.start + """
                    let request = AF.request(url.appendingPathComponent("item"))
                    print(try await request.serializingDecodable(Item.self).value.id)

                    """
            )
        case "get":
            self.init(
                name: peer.name,
                title: "Get",
                dependencies: [Self.package("Get", peer.path)],
                products: [Self.product("Get", "Get")],
                main: "import Get\n" + Self.start + """
                    print(try await APIClient(baseURL: url).send(Request<Item>(path: "item")).value.id)

                    """
            )
        default: return nil
        }
    }

    private static func netKitRequest(transport: String) -> String {
        """
        struct GetItem: Request {
            typealias ResponseObjectType = Item
            let path = "item"
        }

        let endpoint = Endpoint(baseURL: url\(transport))
        print(try await endpoint.value(for: GetItem()).id)

        """
    }

    private static func package(_ name: String, _ path: String) -> String {
        ".package(name: \"\(name)\", path: \"\(path)\")"
    }

    private static func product(_ name: String, _ package: String) -> String {
        ".product(name: \"\(name)\", package: \"\(package)\")"
    }
}
