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

let package = Package(
    name: "Adapters",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [.library(name: "NetKitAdapters", targets: ["NetKitAdapters"])],
    dependencies: [
        .package(name: "NetKit", path: ".."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "NetKitAdapters",
            dependencies: [
                .product(name: "NetKit", package: "NetKit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetKitAdaptersTests",
            dependencies: [
                "NetKitAdapters",
                .product(name: "NetKitTesting", package: "NetKit"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: settings
        ),
    ]
)
