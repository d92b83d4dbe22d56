// swift-tools-version: 6.2
import PackageDescription

/// The settings of the root package, which a nested one cannot share.
let common: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A client of which there is a local checkout.
struct Peer {
    let package: String
    let path: String
    /// The conditions under which its adapters are compiled.
    let conditions: [String]

    /// Reads `name=path`.
    init(_ text: Substring) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        switch parts.first {
        case "alamofire": (package, conditions) = ("Alamofire", ["ALAMOFIRE"])
        case "alamofire-patched":
            (package, conditions) = ("Alamofire", ["ALAMOFIRE", "ALAMOFIRE_MULTIPART"])
        case "get": (package, conditions) = ("Get", ["GET"])
        default: fatalError("a peer is alamofire=PATH, alamofire-patched=PATH or get=PATH")
        }
        path = parts.last ?? ""
    }
}

// Other clients, measured where there is a local checkout of them, and no dependency otherwise:
// NETKIT_BENCH_PEERS="alamofire=PATH get=PATH". `Tools/Benchmarks/bench --peer alamofire=PATH` sets it.
let peers = (Context.environment["NETKIT_BENCH_PEERS"] ?? "").split(separator: " ").map(Peer.init)
let settings = common + peers.flatMap(\.conditions).map { .define($0) }
let peerProducts: [Target.Dependency] = peers.map {
    .product(name: $0.package, package: $0.package)
}

let netKit = Target.Dependency.product(name: "NetKit", package: "NetKit")
let netKitCache = Target.Dependency.product(name: "NetKitCache", package: "NetKit")
let netKitCurl = Target.Dependency.product(name: "NetKitCurl", package: "NetKit")
let netKitAsyncHTTPClient = Target.Dependency.product(
    name: "NetKitAsyncHTTPClient",
    package: "NetKitAsyncHTTPClient"
)
let asyncHTTPClient: [Target.Dependency] = [
    .product(name: "AsyncHTTPClient", package: "async-http-client"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOFoundationCompat", package: "swift-nio"),
]

/// A process of the suite `cold`: it makes one call, and links nothing that the call doesn't need.
func coldStart(_ name: String, _ folder: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: "netkit-cold-\(name)",
        dependencies: ["ColdStart"] + dependencies,
        path: "Sources/ColdStart/\(folder)",
        swiftSettings: settings
    )
}

let package = Package(
    name: "Benchmarks",
    // Only the benchmarks need macOS 15 (Synchronization); NetKit itself asks for less.
    platforms: [.macOS(.v15)],
    products: [.executable(name: "netkit-bench", targets: ["NetKitBench"])],
    dependencies: [
        .package(name: "NetKit", path: "../.."),
        .package(name: "NetKitAsyncHTTPClient", path: "../../Packages/AsyncHTTPClient"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    ] + peers.map { .package(name: $0.package, path: $0.path) },
    targets: [
        .executableTarget(
            name: "NetKitBench",
            dependencies: [
                "RawCurl", "RawCurlLoop", netKit, netKitAsyncHTTPClient, netKitCache, netKitCurl,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ] + asyncHTTPClient + peerProducts,
            swiftSettings: settings
        ),
        .target(name: "RawCurl"),
        .target(name: "RawCurlLoop", dependencies: ["RawCurl"], swiftSettings: settings),
        .target(name: "ColdStart", path: "Sources/ColdStart/Support", swiftSettings: settings),
        coldStart("raw", "Raw", []),
        coldStart("raw-curl-async", "RawCurlAsync", ["RawCurlLoop"]),
        coldStart("netkit", "NetKit", [netKit]),
        coldStart("netkit-callbacks", "NetKitCallbacks", [netKit]),
        coldStart("netkit-over-curl", "NetKitOverCurl", [netKit, netKitCurl]),
        coldStart("async-http-client", "AsyncHTTPClient", asyncHTTPClient),
        coldStart(
            "netkit-over-async-http-client",
            "NetKitOverAsyncHTTPClient",
            [netKit, netKitAsyncHTTPClient]
        ),
        .testTarget(
            name: "NetKitBenchTests",
            dependencies: [
                "NetKitBench", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
    ]
        + peers.filter { $0.package == "Alamofire" }
        .map { _ in
            coldStart("alamofire", "Alamofire", peerProducts)
        }
)
