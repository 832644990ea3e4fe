// swift-tools-version: 6.2
import PackageDescription

// Adapters between Moonlight and the common packages of Swift servers. A separate package, so that the root has no dependency.
func moonlight(_ name: String) -> Target.Dependency { .product(name: name, package: "Moonlight") }

let package = Package(
    name: "MoonlightIntegrations",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "MoonlightLogging", targets: ["MoonlightLogging"]),
        .library(name: "MoonlightMetrics", targets: ["MoonlightMetrics"]),
        .library(name: "MoonlightTracing", targets: ["MoonlightTracing"]),
        .library(name: "MoonlightLifecycle", targets: ["MoonlightLifecycle"]),
        .library(name: "MoonlightPostgreSQL", targets: ["MoonlightPostgreSQL"]),
        .library(name: "MoonlightNATS", targets: ["MoonlightNATS"]),
        .library(name: "MoonlightRouting", targets: ["MoonlightRouting"]),
        .executable(name: "auction", targets: ["auction"]),
    ],
    dependencies: [
        .package(name: "Moonlight", path: ".."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .target(
            name: "MoonlightLogging",
            dependencies: [
                "CaseNames", moonlight("Moonlight"), moonlight("Streams"), .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "MoonlightMetrics",
            dependencies: ["CaseNames", moonlight("Moonlight"), .product(name: "CoreMetrics", package: "swift-metrics")]),
        .target(
            name: "MoonlightTracing",
            dependencies: ["CaseNames", moonlight("Moonlight"), .product(name: "Tracing", package: "swift-distributed-tracing")]),
        .target(
            name: "MoonlightLifecycle",
            dependencies: [
                moonlight("Moonlight"), moonlight("MoonlightDurability"), .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "StorageSupport", dependencies: [moonlight("MoonlightDurability")]),
        .target(
            name: "MoonlightRouting",
            dependencies: [moonlight("Moonlight"), moonlight("MoonlightDurability"), moonlight("Streams")]),
        .target(
            name: "MoonlightPostgreSQL",
            dependencies: ["CPostgreSQL", "MoonlightRouting", "StorageSupport", moonlight("MoonlightDurability")]),
        .systemLibrary(name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"]), .brew(["cnats"])]),
        .target(
            name: "MoonlightNATS",
            dependencies: ["CNATS", "MoonlightRouting", "StorageSupport", moonlight("MoonlightDurability")]),
        .target(
            name: "AuctionHouse",
            dependencies: [
                "MoonlightPostgreSQL", moonlight("Moonlight"), moonlight("MoonlightDurability"), moonlight("MoonlightRecording"),
                moonlight("Streams"),
            ], path: "Samples/AuctionHouse"),
        .executableTarget(
            name: "auction",
            dependencies: [
                "AuctionHouse", "MoonlightLifecycle", "MoonlightPostgreSQL", moonlight("Moonlight"),
                moonlight("MoonlightDurability"), moonlight("MoonlightRecording"),
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Samples/auction", exclude: ["README.md", "load"]),
        .target(name: "CaseNames"),
        .target(name: "TestLoops", dependencies: [moonlight("Moonlight"), moonlight("Streams")], path: "Tests/TestLoops"),
        .executableTarget(
            name: "probe",
            dependencies: [
                "MoonlightNATS", "MoonlightRouting", "TestLoops", moonlight("MoonlightDurability"), moonlight("Moonlight"),
            ], path: "Tests/Probe"),
        .testTarget(
            name: "RoutingTests",
            dependencies: [
                "MoonlightRouting", "TestLoops", moonlight("Moonlight"), moonlight("MoonlightDurability"),
                moonlight("MoonlightExploration"), moonlight("Streams"),
            ]),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "MoonlightPostgreSQL", "MoonlightNATS", "MoonlightRouting", "CNATS", "probe", "TestLoops",
                moonlight("MoonlightDurability"),
                moonlight("Moonlight"),
                moonlight("Streams"),
            ]),
        .testTarget(
            name: "MoonlightLoggingTests",
            dependencies: [
                "MoonlightLogging", "TestLoops", moonlight("Moonlight"), moonlight("Streams"),
                .product(name: "InMemoryLogging", package: "swift-log"),
            ]),
        .testTarget(
            name: "MoonlightMetricsTests",
            dependencies: [
                "MoonlightMetrics", "TestLoops", moonlight("Moonlight"), moonlight("Streams"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]),
        .testTarget(
            name: "MoonlightTracingTests",
            dependencies: [
                "MoonlightTracing", "TestLoops", moonlight("Moonlight"), moonlight("Streams"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ]),
        .testTarget(
            name: "MoonlightLifecycleTests",
            dependencies: [
                "MoonlightLifecycle", "TestLoops", moonlight("Moonlight"), moonlight("MoonlightDurability"), moonlight("Streams"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Builds only some targets and their dependencies: `INTEGRATIONS=MoonlightLoggingTests swift test --package-path Integrations`.
if let only = Context.environment["INTEGRATIONS"] {
    var kept: Set<String> = []
    func keep(_ name: String) {
        guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { return }
        for dependency in target.dependencies { if case .byNameItem(let name, _) = dependency { keep(name) } }
    }
    for name in only.split(separator: ",") { keep(String(name)) }
    package.products = []
    package.targets.removeAll { !kept.contains($0.name) }
}
