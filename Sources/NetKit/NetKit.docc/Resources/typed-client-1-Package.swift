// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "BookClient",
    platforms: [.macOS(.v13)],
    products: [.library(name: "BookClient", targets: ["BookClient"])],
    dependencies: [
        // Replace OWNER with the account that hosts NetKit.
        .package(url: "https://github.com/OWNER/netkit", from: "0.1.0")
    ],
    targets: [
        .target(
            name: "BookClient",
            dependencies: [.product(name: "NetKit", package: "netkit")]
        ),
        .testTarget(
            name: "BookClientTests",
            dependencies: [
                "BookClient",
                .product(name: "NetKit", package: "netkit"),
                .product(name: "NetKitTesting", package: "netkit"),
            ]
        ),
    ]
)
