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
/// another actor (decision 0017).
let staysOnCaller: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")

let package = Package(
    name: "promised-client",
    platforms: [.iOS(.v18), .macOS(.v15), .watchOS(.v11), .tvOS(.v18), .visionOS(.v2)],
    products: [
        .library(name: "PromisedProtocol", targets: ["PromisedProtocol"]),
        .library(name: "PromisedConcurrency", targets: ["PromisedConcurrency"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0")
    ],
    targets: [
        .target(name: "PromisedConcurrency", swiftSettings: settings + staysOnCaller),
        .target(name: "PromisedProtocol", dependencies: [protobuf], swiftSettings: settings),
    ]
)
