// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "BookClient",
    platforms: [.macOS(.v14)],
    products: [.library(name: "BookClient", targets: ["BookClient"])],
    dependencies: [
        // NetKit's repository, beside the folder of this package.
        .package(path: "../netkit")
    ],
    targets: [
        .target(
            name: "BookClient",
            dependencies: [
                .product(name: "NetKit", package: "netkit"),
                .product(name: "NetKitCurl", package: "netkit"),
            ]
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
