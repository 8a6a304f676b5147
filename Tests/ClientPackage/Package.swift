// swift-tools-version: 6.2

import PackageDescription

// An app outside the repository, as scripts/client test builds it: without any flag, in release. CLIENT names the
// folder of the client's package. With SERVER, the folder of the repository, the tests against a server join in.
func folder(_ name: String) -> String? { Context.environment[name].flatMap { $0.isEmpty ? nil : $0 } }

let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let client = folder("CLIENT") ?? "../../Clients/Swift"
let server = folder("SERVER")

/// The settings of a new app, none of them unsafe.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "app",
    platforms: [.iOS(.v18), .macOS(.v15)],
    dependencies: [
        .package(name: "promised-client", path: client),
        // The app's own log; the client depends on the same package.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    ]
        + (server.map { [.package(name: "promised", path: $0)] } ?? []),
    targets: [
        .target(
            name: "App",
            dependencies: [
                .product(name: "PromisedClient", package: "promised-client"),
                .product(name: "PromisedProtocol", package: "promised-client"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Phone",
            dependencies: [
                log,
                .product(name: "PromisedClient", package: "promised-client"),
                .product(name: "PromisedURLSession", package: "promised-client"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AppTests",
            dependencies: [
                "App", log, protobuf,
                .product(name: "PromisedClient", package: "promised-client"),
                .product(name: "PromisedClientTesting", package: "promised-client"),
                .product(name: "PromisedConcurrency", package: "promised-client"),
                .product(name: "PromisedProtocol", package: "promised-client"),
            ],
            swiftSettings: settings
        ),
    ]
        + (server == nil
            ? []
            : [
                .testTarget(
                    name: "AppServerTests",
                    dependencies: [
                        "App", log, protobuf,
                        .product(name: "PromisedClient", package: "promised-client"),
                        .product(name: "PromisedProtocol", package: "promised-client"),
                        .product(name: "PromisedWebSocketTransport", package: "promised"),
                    ],
                    swiftSettings: settings
                )
            ])
)
