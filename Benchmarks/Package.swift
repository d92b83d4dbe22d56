// swift-tools-version: 6.2
import PackageDescription

/// The settings of the root package, which a nested one cannot share.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "Benchmarks",
    // Only the benchmarks need macOS 15 (Synchronization); NetKit itself asks for less.
    platforms: [.macOS(.v15)],
    products: [.executable(name: "netkit-bench", targets: ["NetKitBench"])],
    dependencies: [
        .package(name: "NetKit", path: ".."),
        .package(name: "NetKitAsyncHTTPClient", path: "../Transports/AsyncHTTPClient"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    ],
    targets: [
        .executableTarget(
            name: "NetKitBench",
            dependencies: [
                .product(name: "NetKit", package: "NetKit"),
                .product(name: "NetKitAsyncHTTPClient", package: "NetKitAsyncHTTPClient"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetKitBenchTests",
            dependencies: ["NetKitBench", .product(name: "NIOCore", package: "swift-nio")],
            swiftSettings: settings
        ),
    ]
)
