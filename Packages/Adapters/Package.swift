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

let netKit = Target.Dependency.product(name: "NetKit", package: "NetKit")
let netKitTesting = Target.Dependency.product(name: "NetKitTesting", package: "NetKit")

/// An adapter with its tests: a product of its own, which builds its own dependencies alone.
func adapter(
    _ name: String,
    _ dependencies: [Target.Dependency],
    tests: [Target.Dependency] = []
) -> [Target] {
    [
        .target(name: name, dependencies: [netKit] + dependencies, swiftSettings: settings),
        .testTarget(
            name: "\(name)Tests",
            dependencies: [.target(name: name), netKit, netKitTesting] + dependencies + tests,
            swiftSettings: settings
        ),
    ]
}

let adapters = [
    "NetKitHTTPTypes", "NetKitLogging", "NetKitMetrics", "NetKitServiceLifecycle", "NetKitTracing",
]

let package = Package(
    name: "Adapters",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: adapters.map { .library(name: $0, targets: [$0]) },
    dependencies: [
        .package(name: "NetKit", path: "../.."),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        // OpenTelemetry's names and values, for metrics and traces.
        .target(name: "NetKitConventions", dependencies: [netKit], swiftSettings: settings)
    ]
        + adapter(
            "NetKitHTTPTypes",
            [.product(name: "HTTPTypes", package: "swift-http-types")]
        )
        + adapter(
            "NetKitLogging",
            [.product(name: "Logging", package: "swift-log")]
        )
        + adapter(
            "NetKitMetrics",
            ["NetKitConventions", .product(name: "CoreMetrics", package: "swift-metrics")],
            tests: [.product(name: "MetricsTestKit", package: "swift-metrics")]
        )
        + adapter(
            "NetKitServiceLifecycle",
            [.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")],
            tests: [
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ]
        )
        + adapter(
            "NetKitTracing",
            ["NetKitConventions", .product(name: "Tracing", package: "swift-distributed-tracing")],
            tests: [
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "NetKitCache", package: "NetKit"),
                .product(name: "NetKitCurl", package: "NetKit"),
            ]
        )
)
