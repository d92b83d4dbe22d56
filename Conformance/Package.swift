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
    name: "Conformance",
    platforms: [.macOS(.v13)],
    products: [.executable(name: "cache-tests", targets: ["CacheTests"])],
    dependencies: [.package(name: "NetKit", path: "..")],
    targets: [
        .executableTarget(
            name: "CacheTests",
            dependencies: [.product(name: "NetKit", package: "NetKit")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CacheTestsTests",
            dependencies: [
                "CacheTests", .product(name: "NetKit", package: "NetKit"),
            ],
            swiftSettings: settings
        ),
    ]
)
