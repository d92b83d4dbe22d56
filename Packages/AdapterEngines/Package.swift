// swift-tools-version: 6.2
import PackageDescription

/// The settings of the root package, which a nested one cannot share.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Runs the suites of Adapters over AsyncHTTPClient: a package of its own, so that Adapters does not depend on it.
let package = Package(
    name: "AdapterEngines",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "NetKit", path: "../.."),
        .package(name: "Adapters", path: "../Adapters"),
        .package(name: "NetKitAsyncHTTPClient", path: "../AsyncHTTPClient"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    ],
    targets: [
        .testTarget(
            name: "TracingEngineTests",
            dependencies: [
                .product(name: "NetKit", package: "NetKit"),
                .product(name: "NetKitCache", package: "NetKit"),
                .product(name: "NetKitTesting", package: "NetKit"),
                .product(name: "NetKitTracing", package: "Adapters"),
                .product(name: "NetKitAsyncHTTPClient", package: "NetKitAsyncHTTPClient"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MetricsEngineTests",
            dependencies: [
                .product(name: "NetKit", package: "NetKit"),
                .product(name: "NetKitTesting", package: "NetKit"),
                .product(name: "NetKitMetrics", package: "Adapters"),
                .product(name: "NetKitAsyncHTTPClient", package: "NetKitAsyncHTTPClient"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: settings
        ),
    ]
)
