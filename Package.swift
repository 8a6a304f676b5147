// swift-tools-version: 6.2

import PackageDescription

// The optimizer of Swift 6.3 drops the way back to the caller's actor at the end of functions that run on it; 6.3.2 mends
// that (HowFramesLeave.md, *The compiler*).
#if compiler(>=6.3) && !compiler(>=6.3.2)
let optimizer: [SwiftSetting] = [.unsafeFlags(["-Xllvm", "-sil-disable-pass=optimize-hop-to-executor"])]
#else
let optimizer: [SwiftSetting] = []
#endif

/// The settings every target of the package shares.
let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ] + optimizer

// scripts/torture fuzz sets LIBFUZZER to the path of the library without a main function: the modules under test then count
// the edges that an input reaches.
let libFuzzer = Context.environment["LIBFUZZER"]
let counted: [SwiftSetting] = libFuzzer == nil ? [] : [.unsafeFlags(["-sanitize=fuzzer"])]
/// The settings of a module whose readers are fuzzed.
let fuzzed = settings + counted
/// The settings of a module in which the simulation spends its time: optimized in debug builds too, with all assertions
/// (decision 0050).
let simulated: [SwiftSetting] =
    settings + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

let client = Target.Dependency.product(name: "PromisedClient", package: "promised-client")
let clientTesting = Target.Dependency.product(name: "PromisedClientTesting", package: "promised-client")
let wireProtocol = Target.Dependency.product(name: "PromisedProtocol", package: "promised-client")
let concurrency = Target.Dependency.product(name: "PromisedConcurrency", package: "promised-client")
let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let jwt = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOSSL", package: "swift-nio-ssl"),
]

let package = Package(
    name: "promised",
    products: [
        .executable(name: "promised", targets: ["promised"]),
        .executable(name: "promisectl", targets: ["promisectl"]),
        .executable(name: "promise-load", targets: ["promise-load"]),
        .executable(name: "promise-simulate", targets: ["promise-simulate"]),
        .executable(name: "promise-fuzz", targets: ["promise-fuzz"]),
        .library(name: "PromisedWebSocketTransport", targets: ["PromisedWebSocketTransport"]),
        // For Benchmarks/ alone.
        .library(name: "HotPathCases", targets: ["HotPathCases"]),
    ],
    dependencies: [
        .package(name: "promised-client", path: "Clients/Swift"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
        // Of the version that swift-configuration brings.
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    ],
    targets: [
        .target(name: "PromisedDomain", swiftSettings: simulated + counted),
        .target(name: "PromisedPlaces", dependencies: ["PromisedDomain"], swiftSettings: simulated + counted),
        .target(
            name: "PromisedJournal",
            dependencies: ["PromisedDomain", "PromisedPlaces"],
            swiftSettings: simulated + counted
        ),
        .target(
            name: "PromisedWire",
            dependencies: ["PromisedDomain", "PromisedPlaces", "PromisedJournal", wireProtocol, protobuf],
            swiftSettings: simulated + counted
        ),
        .target(name: "PromisedEngine", dependencies: ["PromisedDomain", log, metrics], swiftSettings: simulated),
        .target(
            name: "PromisedStore",
            dependencies: ["PromisedDomain", "PromisedPlaces", "PromisedJournal", concurrency, grdb, sqlite],
            swiftSettings: simulated + counted
        ),
        .systemLibrary(
            name: "CWebSockets",
            path: "Sources/PromisedTransport/CWebSockets",
            pkgConfig: "libwebsockets",
            providers: [.apt(["libwebsockets-dev"])]
        ),
        .target(
            name: "PromisedTransport",
            dependencies: ["CWebSockets", concurrency, log, metrics],
            exclude: ["CWebSockets"],
            swiftSettings: fuzzed
        ),
        .target(
            name: "PromisedWebSocketTransport",
            dependencies: ["PromisedTransport", client, wireProtocol, concurrency, log],
            swiftSettings: settings
        ),
        .target(
            name: "PromisedSettings",
            dependencies: ["PromisedDomain", "PromisedPlaces", concurrency, configuration, yams],
            swiftSettings: fuzzed
        ),
        .target(
            name: "PromisedAccess",
            dependencies: ["PromisedDomain", "PromisedSettings", concurrency, crypto, cryptoExtras, jwt],
            swiftSettings: settings
        ),
        // The only target of the server that connects to other hosts.
        .target(
            name: "PromisedOutside",
            dependencies: ["PromisedDomain", "PromisedPlaces", concurrency, log, metrics, httpClient] + nio,
            swiftSettings: settings
        ),
        .target(
            name: "PromisedApplication",
            dependencies: [
                "PromisedDomain", "PromisedPlaces", "PromisedJournal", "PromisedEngine", "PromisedStore",
                "PromisedSettings", "PromisedAccess",
                "PromisedFormats", "PromisedOutside", concurrency, log, metrics, crypto,
            ],
            swiftSettings: simulated
        ),
        // Requests and events between connections and use cases: neither the transport nor SQL (scripts/check).
        .target(
            name: "PromisedGateway",
            dependencies: [
                "PromisedApplication", "PromisedDomain", "PromisedPlaces", "PromisedJournal", "PromisedWire",
                "PromisedEngine", "PromisedSettings", "PromisedAccess", "PromisedFormats", "PromisedOutside",
                wireProtocol, concurrency, log, metrics, crypto, protobuf,
            ],
            exclude: ["DESIGN.md"],
            swiftSettings: simulated
        ),
        .target(
            name: "PromisedServer",
            dependencies: [
                "PromisedGateway", "PromisedApplication", "PromisedDomain", "PromisedPlaces", "PromisedJournal",
                "PromisedWire", "PromisedEngine", "PromisedStore", "PromisedTransport", "PromisedSettings",
                "PromisedAccess", "PromisedFormats", "PromisedOutside", wireProtocol, concurrency, log, metrics, crypto,
            ],
            // The page and its client lie with the other client.
            resources: [.copy("../../Clients/Web")],
            swiftSettings: settings
        ),
        .target(
            name: "PromisedFormats",
            dependencies: ["PromisedDomain", "PromisedPlaces", yams],
            swiftSettings: fuzzed
        ),
        .target(
            name: "PromisedSimulation",
            dependencies: ["PromisedDomain", "PromisedPlaces", "PromisedFormats"],
            swiftSettings: simulated
        ),
        .target(
            name: "PromisedCommandLine",
            dependencies: ["PromisedDomain", "PromisedFormats", wireProtocol, argumentParser],
            swiftSettings: settings
        ),
        .target(
            name: "PromisedTestSupport",
            dependencies: [
                "PromisedDomain", "PromisedPlaces", "PromisedJournal", "PromisedEngine", "PromisedTransport",
                "PromisedAccess", concurrency, crypto,
                cryptoExtras, log,
            ],
            path: "Tests/Support/PromisedTestSupport",
            swiftSettings: settings
        ),
        // Which rules, rows of the protocol and threats a test is about; for tests alone.
        .target(name: "PromisedTestMarks", path: "Tests/Support/Marks", swiftSettings: settings),
        .target(
            name: "HotPathCases",
            dependencies: ["PromisedDomain", "PromisedWire", "PromisedStore", "PromisedTestSupport", wireProtocol],
            path: "Benchmarks/Cases",
            swiftSettings: settings
        ),
        // The deterministic simulation: no server links it, for it takes over all tasks of its process.
        .target(name: "CConcurrencyHooks", path: "Tests/Support/CConcurrencyHooks"),
        .target(
            name: "PromisedWorld",
            dependencies: [
                "CConcurrencyHooks", "PromisedDomain", "PromisedPlaces", "PromisedJournal", "PromisedEngine",
                "PromisedStore", "PromisedSettings",
                "PromisedAccess", "PromisedOutside", "PromisedApplication", "PromisedGateway", "PromisedSimulation",
                "PromisedWire",
                client, wireProtocol, concurrency, log, metrics, crypto, protobuf, grdb,
            ],
            path: "Tests/Support/PromisedWorld",
            exclude: ["DESIGN.md"],
            swiftSettings: simulated
        ),
        .executableTarget(
            name: "promise-simulate",
            dependencies: ["PromisedWorld", argumentParser],
            path: "Tests/Support/promise-simulate",
            swiftSettings: settings
        ),
        // The properties that hold for all bytes, and the program that libFuzzer drives.
        .target(
            name: "PromisedFuzzing",
            dependencies: [
                "PromisedDomain", "PromisedPlaces", "PromisedJournal", "PromisedFormats", "PromisedWire",
                "PromisedTransport", "PromisedStore",
                "PromisedSettings", "PromisedWorld", wireProtocol,
            ],
            path: "Tests/Support/PromisedFuzzing",
            swiftSettings: fuzzed
        ),
        .target(name: "CFuzzer", path: "Tests/Support/CFuzzer"),
        .executableTarget(
            name: "promise-fuzz",
            dependencies: ["PromisedFuzzing", "CFuzzer"],
            path: "Tests/Support/promise-fuzz",
            swiftSettings: settings,
            linkerSettings: libFuzzer.map {
                [.unsafeFlags(["-Xlinker", "-u", "-Xlinker", "LLVMFuzzerRunDriver", $0, "-lstdc++"])]
            }
        ),
        .executableTarget(
            name: "promised",
            dependencies: [
                "PromisedServer", "PromisedApplication", "PromisedSettings", "PromisedWebSocketTransport",
                "PromisedDomain", "PromisedPlaces", "PromisedWire", "PromisedEngine", "PromisedStore",
                "PromisedTransport",
                "PromisedSimulation", "PromisedFormats",
                "PromisedCommandLine", client, wireProtocol, concurrency, argumentParser, log, lifecycle, signals,
                protobuf,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "promisectl",
            dependencies: [
                "PromisedWebSocketTransport", "PromisedWire", "PromisedCommandLine", "PromisedFormats",
                "PromisedDomain", "PromisedPlaces", client, wireProtocol,
                argumentParser, log, protobuf, signals,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "promise-load",
            dependencies: [
                client, "PromisedWebSocketTransport", "PromisedTransport", "PromisedWire", "PromisedDomain",
                wireProtocol, concurrency, argumentParser, log, histogram, crypto,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedDomainTests",
            dependencies: [
                "PromisedDomain", "PromisedFormats", "PromisedSimulation", "PromisedTestMarks", "PromisedTestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedPlacesTests",
            dependencies: [
                "PromisedPlaces", "PromisedDomain", "PromisedSimulation", "PromisedTestMarks", "PromisedTestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedJournalTests",
            dependencies: [
                "PromisedJournal", "PromisedPlaces", "PromisedDomain", "PromisedSimulation", "PromisedTestMarks",
                "PromisedTestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedFormatsTests",
            dependencies: ["PromisedFormats", "PromisedDomain", "PromisedPlaces", "PromisedTestMarks"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedWireTests",
            // The gateway: the documents name the limits by which it checks.
            dependencies: [
                "PromisedWire", "PromisedDomain", "PromisedPlaces", "PromisedJournal", "PromisedGateway",
                "PromisedApplication", "PromisedSettings",
                "PromisedAccess", "PromisedSimulation", "PromisedTestMarks", wireProtocol, protobuf, crypto,
            ],
            exclude: ["Golden"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedStoreTests",
            dependencies: [
                "PromisedStore", "PromisedDomain", "PromisedPlaces", "PromisedJournal", "PromisedSimulation",
                "PromisedTestMarks", "PromisedTestSupport",
                concurrency, grdb,
            ],
            exclude: ["Golden"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedTransportTests",
            dependencies: ["PromisedTransport", "PromisedTestMarks", "PromisedTestSupport", concurrency, log, metrics],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedEngineTests",
            dependencies: [
                "PromisedEngine", "PromisedDomain", "PromisedSimulation", "PromisedTestMarks", "PromisedTestSupport",
                log,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedOutsideTests",
            dependencies: [
                "PromisedOutside", "PromisedDomain", "PromisedPlaces", "PromisedSimulation", "PromisedTestMarks",
                concurrency, log,
                metrics,
            ] + nio,
            exclude: ["Replies"],
            swiftSettings: settings
        ),
        // The tests of the client's package, compiled here as well: one build and one run for both.
        .testTarget(
            name: "PromisedProtocolTests",
            dependencies: [wireProtocol],
            path: "Clients/Swift/Tests/PromisedProtocolTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedClientTests",
            dependencies: [client, clientTesting, wireProtocol, concurrency, log, protobuf],
            path: "Clients/Swift/Tests/PromisedClientTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedWebSocketTransportTests",
            dependencies: [
                "PromisedWebSocketTransport", "PromisedTransport", "PromisedWire", "PromisedDomain",
                "PromisedTestMarks", "PromisedTestSupport", client, wireProtocol, log, protobuf,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedSettingsTests",
            dependencies: [
                "PromisedSettings", "PromisedDomain", "PromisedPlaces", "PromisedWire", "PromisedTestMarks",
                "PromisedTestSupport",
                wireProtocol, log,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedAccessTests",
            dependencies: [
                "PromisedAccess", "PromisedSettings", "PromisedDomain", "PromisedSimulation", "PromisedTestMarks",
                "PromisedTestSupport",
                concurrency, crypto,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedApplicationTests",
            dependencies: [
                "PromisedApplication", "PromisedAccess", "PromisedDomain", "PromisedPlaces", "PromisedJournal",
                "PromisedEngine", "PromisedFormats",
                "PromisedOutside", "PromisedSettings", "PromisedStore", "PromisedTestMarks", "PromisedTestSupport",
                "PromisedWorld",
                concurrency, log, metrics, crypto, grdb,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedWorldTests",
            dependencies: [
                "PromisedWorld", "promise-simulate", "PromisedApplication", "PromisedDomain", "PromisedPlaces",
                "PromisedJournal", "PromisedEngine",
                "PromisedSimulation", "PromisedStore", "PromisedFormats", "PromisedWire", "PromisedTestMarks",
                "PromisedTestSupport",
                client, wireProtocol, crypto, protobuf,
            ],
            exclude: ["Stories"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedFuzzingTests",
            dependencies: ["PromisedFuzzing", "promise-fuzz", "PromisedTestMarks", "PromisedTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedGatewayTests",
            dependencies: [
                "PromisedGateway", "PromisedApplication", "PromisedSettings", "PromisedAccess", "PromisedStore",
                "PromisedWire", "PromisedDomain", "PromisedPlaces", "PromisedJournal", "PromisedEngine",
                "PromisedSimulation", "PromisedTestMarks", "PromisedTestSupport", wireProtocol, concurrency, log,
                metrics, protobuf,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedServerTests",
            dependencies: [
                "PromisedServer", "PromisedGateway", "PromisedApplication", "PromisedSettings", "PromisedAccess",
                "PromisedStore", "PromisedTransport", "PromisedFormats",
                "PromisedWebSocketTransport", "PromisedWire", "PromisedDomain", "PromisedPlaces", "PromisedJournal",
                "PromisedEngine", "PromisedSimulation",
                "PromisedTestMarks", "PromisedTestSupport", client, wireProtocol, concurrency, log, metrics, crypto,
                cryptoExtras, protobuf,
            ],
            exclude: ["Transcript/Golden"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisedCommandTests",
            dependencies: [
                "promised", "PromisedServer", "PromisedSettings", "PromisedAccess", "PromisedStore",
                "PromisedTransport",
                "PromisedWebSocketTransport", "PromisedWire", "PromisedDomain", "PromisedJournal", "PromisedSimulation",
                "PromisedFormats", "PromisedTestMarks", "PromisedTestSupport", client, wireProtocol, concurrency, log,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromisectlTests",
            dependencies: [
                "promisectl", "promised", "PromisedCommandLine", "PromisedServer", "PromisedWebSocketTransport",
                "PromisedWire",
                "PromisedTestMarks", "PromisedTestSupport", client, wireProtocol, concurrency,
                argumentParser, log,
                protobuf,
            ],
            exclude: ["Golden"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromiseLoadTests",
            dependencies: [
                "promise-load", "PromisedTransport", "PromisedWire", "PromisedDomain", client, clientTesting,
                wireProtocol, concurrency, log,
            ],
            swiftSettings: settings
        ),
    ]
)
