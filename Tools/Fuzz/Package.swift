// swift-tools-version: 6.2
import PackageDescription

/// The settings of the root package, and libFuzzer's coverage for everything that is built here.
///
/// `-sanitize=fuzzer` makes the compiler count each edge that a run takes: libFuzzer keeps the inputs that take new ones.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .unsafeFlags(["-sanitize=fuzzer", "-enable-testing"]),
]

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v14)],
    targets: [
        // Links to the root package's sources: a dependency would be built without the counters.
        .target(name: "NetKitSupport", swiftSettings: settings),
        .target(name: "NetKit", dependencies: ["NetKitSupport"], swiftSettings: settings),
        .target(
            name: "NetKitCache",
            dependencies: ["NetKit", "NetKitSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "NetKitCookies",
            dependencies: ["NetKit", "NetKitSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "NetKitDigest",
            dependencies: ["NetKit", "NetKitSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "NetKitHAR",
            dependencies: ["NetKit", "NetKitSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "NetKitPaging",
            dependencies: ["NetKit", "NetKitSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "NetKitTesting",
            dependencies: ["NetKit", "NetKitHAR", "NetKitSupport"],
            swiftSettings: settings
        ),
        // What is fuzzed, and what has to hold; the root package runs the corpus through the same.
        .target(
            name: "FuzzProperties",
            dependencies: [
                "NetKit", "NetKitCache", "NetKitCookies", "NetKitDigest", "NetKitHAR",
                "NetKitPaging", "NetKitSupport", "NetKitTesting",
            ],
            path: "Properties",
            swiftSettings: settings
        ),
        // libFuzzer's entry point, declared for Swift.
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "NetKitFuzz",
            dependencies: ["FuzzProperties", "CFuzzer"],
            swiftSettings: settings,
            // The runtime needs lld: gold doesn't link it.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
        ),
    ]
)
