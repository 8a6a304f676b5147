// swift-tools-version: 6.2

import PackageDescription

/// The settings every target of the package shares. None of them is unsafe, so the package may be a dependency by version.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// Asynchronous functions run on their caller's actor. Only for targets in which no such function ends in a call of
/// another actor (HowFramesLeave.md, *The compiler*).
let staysOnCaller: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")

let package = Package(
    name: "promised-client",
    platforms: [.iOS(.v18), .macOS(.v15), .watchOS(.v11), .tvOS(.v18), .visionOS(.v2)],
    products: [
        .library(name: "PromisedClient", targets: ["PromisedClient"]),
        .library(name: "PromisedProtocol", targets: ["PromisedProtocol"]),
        .library(name: "PromisedURLSession", targets: ["PromisedURLSession"]),
        .library(name: "PromisedClientTesting", targets: ["PromisedClientTesting"]),
        .library(name: "PromisedConcurrency", targets: ["PromisedConcurrency"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .target(name: "PromisedConcurrency", swiftSettings: settings + staysOnCaller),
        .target(name: "PromisedProtocol", dependencies: [protobuf], swiftSettings: settings),
        .target(
            name: "PromisedClient",
            dependencies: ["PromisedProtocol", "PromisedConcurrency", log],
            resources: [.copy("PrivacyInfo.xcprivacy")],
            swiftSettings: settings
        ),
        .target(
            name: "PromisedURLSession",
            dependencies: ["PromisedClient", "PromisedProtocol", "PromisedConcurrency"],
            swiftSettings: settings
        ),
        .target(
            name: "PromisedClientTesting",
            dependencies: ["PromisedClient", "PromisedProtocol", "PromisedConcurrency"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedProtocolTests",
            dependencies: ["PromisedProtocol"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedClientTests",
            dependencies: [
                "PromisedClient", "PromisedClientTesting", "PromisedProtocol", "PromisedConcurrency", log, protobuf,
            ],
            swiftSettings: settings
        ),
    ]
)
