// swift-tools-version: 6.2
import PackageDescription

/// What every target is built with: Swift 6, and the upcoming defaults that a library should meet early.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    .enableUpcomingFeature("ExistentialAny"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
    .enableUpcomingFeature("InternalImportsByDefault"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    .enableUpcomingFeature("MemberImportVisibility"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// What an endpoint opts into.
let features: [Target.Dependency] = [
    "NetKitCache", "NetKitCompression", "NetKitCookies", "NetKitDigest", "NetKitHAR",
    "NetKitPaging",
]

let package = Package(
    name: "NetKit",
    // The first whose URL parses as that of Linux does (RFC 3986), and encodes international hosts.
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "NetKit", targets: ["NetKit"]),
        .library(name: "NetKitCache", targets: ["NetKitCache"]),
        .library(name: "NetKitCompression", targets: ["NetKitCompression"]),
        .library(name: "NetKitCookies", targets: ["NetKitCookies"]),
        .library(name: "NetKitCurl", targets: ["NetKitCurl"]),
        .library(name: "NetKitDigest", targets: ["NetKitDigest"]),
        .library(name: "NetKitHAR", targets: ["NetKitHAR"]),
        .library(name: "NetKitOAuth", targets: ["NetKitOAuth"]),
        .library(name: "NetKitPaging", targets: ["NetKitPaging"]),
        .library(name: "NetKitTesting", targets: ["NetKitTesting"]),
        .library(name: "NetKitTus", targets: ["NetKitTus"]),
        .library(name: "NetKitMigration", targets: ["NetKitMigration"]),
    ],
    targets: [
        // What several modules need and no user sees.
        .target(name: "NetKitSupport", swiftSettings: settings),
        .target(name: "NetKit", dependencies: ["NetKitSupport"], swiftSettings: settings),
        // Features that an endpoint opts into. None knows another.
        .target(
            name: "NetKitCache",
            dependencies: ["NetKit", "NetKitSupport"],
            swiftSettings: settings
        ),
        // zlib's stable C interface, declared here and opened at run time.
        .target(name: "CNetKitZlib"),
        .target(
            name: "NetKitCompression",
            dependencies: ["CNetKitZlib", "NetKit"],
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
        // libcurl's stable C interface, declared here and opened at run time.
        .target(name: "CLibcurl"),
        .target(
            name: "NetKitCurl",
            dependencies: ["CLibcurl", "NetKit", "NetKitSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "NetKitOAuth",
            dependencies: ["NetKit", "NetKitSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "NetKitTus",
            dependencies: ["NetKit", "NetKitSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "NetKitTesting",
            dependencies: ["NetKit", "NetKitHAR", "NetKitSupport"],
            swiftSettings: settings
        ),
        // The spellings of four other libraries, all deprecated.
        .target(
            name: "NetKitMigration",
            dependencies: ["NetKit", "NetKitSupport"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Examples",
            dependencies: [
                "NetKit", "NetKitCache", "NetKitCookies", "NetKitCurl", "NetKitHAR", "NetKitPaging",
                "NetKitSupport", "NetKitTesting",
            ],
            path: "Examples",
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetKitSupportTests",
            dependencies: ["NetKitSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetKitTests",
            dependencies: ["NetKit", "NetKitSupport"],
            swiftSettings: settings
        ),
        // Of users too, whose cookies keep their responses apart.
        .testTarget(
            name: "NetKitCacheTests",
            dependencies: [
                "NetKit", "NetKitCache", "NetKitCookies", "NetKitSupport", "NetKitTesting",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetKitCompressionTests",
            dependencies: ["NetKit", "NetKitCompression", "NetKitSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetKitCookiesTests",
            dependencies: ["NetKit", "NetKitCookies", "NetKitSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetKitDigestTests",
            dependencies: ["NetKit", "NetKitDigest", "NetKitSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetKitHARTests",
            dependencies: ["NetKit", "NetKitHAR"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetKitPagingTests",
            dependencies: ["NetKit", "NetKitPaging", "NetKitSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetKitTestingTests",
            dependencies: ["NetKit", "NetKitHAR", "NetKitSupport", "NetKitTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ExamplesTests",
            dependencies: ["Examples", "NetKit", "NetKitSupport", "NetKitTesting"],
            swiftSettings: settings
        ),
        // Over URLSession, and with NETKIT_TEST_TRANSPORT=curl over libcurl.
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "NetKit", "NetKitCurl", "NetKitMigration", "NetKitSupport", "NetKitTesting",
            ] + features,
            exclude: ["Errors/ErrorWords.txt"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetKitCurlTests",
            dependencies: ["CLibcurl", "NetKit", "NetKitCurl", "NetKitSupport", "NetKitTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetKitOAuthTests",
            dependencies: ["NetKit", "NetKitOAuth", "NetKitSupport", "NetKitTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetKitTusTests",
            dependencies: ["NetKit", "NetKitSupport", "NetKitTesting", "NetKitTus"],
            swiftSettings: settings
        ),
        // What libFuzzer checks for inputs that it makes up (Tools/Fuzz/Package.swift), for those of its corpus.
        .testTarget(
            name: "FuzzTests",
            dependencies: ["NetKit", "NetKitSupport", "NetKitTesting"] + features,
            path: "Tools/Fuzz",
            exclude: ["Corpus", "Package.swift", "README.md", "Sources"],
            sources: ["Properties", "Tests"],
            swiftSettings: settings
        ),
        // What a user's tests look like: nothing but the public interface, and both test frameworks.
        .testTarget(
            name: "UserTests",
            dependencies: ["NetKit", "NetKitTesting"] + features,
            exclude: ["Fixtures"],
            swiftSettings: settings
        ),
        // Some of them in a module that is isolated to the main actor by default.
        .testTarget(
            name: "MainActorTests",
            dependencies: ["NetKit", "NetKitTesting"],
            swiftSettings: settings + [.defaultIsolation(MainActor.self)]
        ),
    ]
)
