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
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "cache-tests", targets: ["CacheTests"]),
        .executable(name: "conformance-driver", targets: ["ConformanceDriver"]),
    ],
    dependencies: [
        .package(name: "NetKit", path: "../.."),
        .package(name: "NetKitAsyncHTTPClient", path: "../../Packages/AsyncHTTPClient"),
        .package(url: "https://github.com/apple/swift-crypto", "3.0.0"..<"5.0.0"),
    ],
    targets: [
        .executableTarget(
            name: "CacheTests",
            dependencies: [
                .product(name: "NetKit", package: "NetKit"),
                .product(name: "NetKitCache", package: "NetKit"),
                .product(name: "NetKitAsyncHTTPClient", package: "NetKitAsyncHTTPClient"),
                .product(name: "NetKitCurl", package: "NetKit"),
            ],
            swiftSettings: settings
        ),
        // For the suites of Tools/scripts/conformance.
        .executableTarget(
            name: "ConformanceDriver",
            dependencies: [
                .product(name: "NetKit", package: "NetKit"),
                .product(name: "NetKitCache", package: "NetKit"),
                .product(name: "NetKitCompression", package: "NetKit"),
                .product(name: "NetKitCookies", package: "NetKit"),
                .product(name: "NetKitDigest", package: "NetKit"),
                .product(name: "NetKitPaging", package: "NetKit"),
                .product(name: "NetKitAsyncHTTPClient", package: "NetKitAsyncHTTPClient"),
                .product(name: "NetKitCurl", package: "NetKit"),
                .product(name: "NetKitTus", package: "NetKit"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),
        // The allocator's own count of live bytes, for Soak.
        .systemLibrary(name: "CAllocator"),
        // Mixed work against a faulty server, for minutes; Tools/scripts/endure soak runs it.
        .executableTarget(
            name: "Soak",
            dependencies: [
                "CAllocator",
                .product(name: "NetKit", package: "NetKit"),
                .product(name: "NetKitCache", package: "NetKit"),
                .product(name: "NetKitCookies", package: "NetKit"),
                .product(name: "NetKitPaging", package: "NetKit"),
                .product(name: "NetKitAsyncHTTPClient", package: "NetKitAsyncHTTPClient"),
                .product(name: "NetKitCurl", package: "NetKit"),
                .product(name: "NetKitTesting", package: "NetKit"),
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "SoakTests", dependencies: ["Soak"], swiftSettings: settings),
        .testTarget(
            name: "CacheTestsTests",
            dependencies: [
                "CacheTests", .product(name: "NetKit", package: "NetKit"),
                .product(name: "NetKitCache", package: "NetKit"),
            ],
            swiftSettings: settings
        ),
        // Against the servers that Tools/scripts/conformance --servers starts; skipped without them.
        .testTarget(
            name: "RealServerTests",
            dependencies: [
                .product(name: "NetKit", package: "NetKit"),
                .product(name: "NetKitCache", package: "NetKit"),
                .product(name: "NetKitCookies", package: "NetKit"),
                .product(name: "NetKitDigest", package: "NetKit"),
                .product(name: "NetKitPaging", package: "NetKit"),
                .product(name: "NetKitAsyncHTTPClient", package: "NetKitAsyncHTTPClient"),
                .product(name: "NetKitCurl", package: "NetKit"),
                .product(name: "NetKitOAuth", package: "NetKit"),
                .product(name: "NetKitTesting", package: "NetKit"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),
    ]
)
