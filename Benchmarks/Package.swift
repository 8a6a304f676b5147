// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that the product does not depend on what measures it. Run it from this folder:
// swift package benchmark
let package = Package(
    name: "promised-benchmarks",
    dependencies: [
        .package(name: "promised", path: ".."),
        // Without its traits: counting allocations by its own interposer needs packages that are not vendored
        // everywhere; CAllocations counts them instead.
        .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
    ],
    targets: [
        .target(name: "CAllocations"),
        .executableTarget(
            name: "HotPath",
            dependencies: [
                "CAllocations",
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "HotPathCases", package: "promised"),
            ],
            path: "Benchmarks/HotPath",
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ],
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
    ]
)
