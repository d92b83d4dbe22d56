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
    name: "NetKitAsyncHTTPClient",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [.library(name: "NetKitAsyncHTTPClient", targets: ["NetKitAsyncHTTPClient"])],
    dependencies: [
        .package(name: "NetKit", path: "../.."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .yum(["zlib-devel"])]
        ),
        .target(
            name: "NetKitAsyncHTTPClient",
            dependencies: [
                "CZlib",
                .product(name: "NetKit", package: "NetKit"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
        // The examples of NetKit; `--transport async-http-client` is new.
        .executableTarget(
            name: "Examples",
            dependencies: [
                "NetKitAsyncHTTPClient",
                .product(name: "NetKit", package: "NetKit"),
                .product(name: "NetKitCache", package: "NetKit"),
                .product(name: "NetKitCookies", package: "NetKit"),
                .product(name: "NetKitHAR", package: "NetKit"),
                .product(name: "NetKitPaging", package: "NetKit"),
                .product(name: "NetKitTesting", package: "NetKit"),
            ],
            path: "Examples",
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetKitAsyncHTTPClientTests",
            dependencies: [
                "CZlib",
                "NetKitAsyncHTTPClient",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NetKit", package: "NetKit"),
                .product(name: "NetKitCurl", package: "NetKit"),
                .product(name: "NetKitTesting", package: "NetKit"),
            ],
            swiftSettings: settings
        ),
        // The integration tests of NetKit over this transport, but those of spellings and of curl commands.
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "NetKitAsyncHTTPClient",
                .product(name: "NetKit", package: "NetKit"),
                .product(name: "NetKitCache", package: "NetKit"),
                .product(name: "NetKitCompression", package: "NetKit"),
                .product(name: "NetKitCookies", package: "NetKit"),
                .product(name: "NetKitDigest", package: "NetKit"),
                .product(name: "NetKitHAR", package: "NetKit"),
                .product(name: "NetKitPaging", package: "NetKit"),
                .product(name: "NetKitTesting", package: "NetKit"),
            ],
            exclude: ["Errors/ErrorWords.txt"],
            swiftSettings: settings
        ),
    ]
)
