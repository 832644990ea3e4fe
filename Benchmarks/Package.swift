// swift-tools-version: 6.0
import PackageDescription

// The peers of the measurements are the only dependencies. Without them, as in CI, which must not depend on the network:
// WITHOUT_PEERS=1 swift run -c release benchmarks
let withPeers = Context.environment["WITHOUT_PEERS"] == nil

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Moonlight", path: "..")],
    targets: [
        .target(name: "CAllocations"),
        .target(name: "Harness", dependencies: ["CAllocations"]),
        .target(name: "ByHand", dependencies: ["Harness"]),
        .target(
            name: "OnMoonlight",
            dependencies: [
                "Harness",
                .product(name: "Moonlight", package: "Moonlight"),
                .product(name: "MoonPresentation", package: "Moonlight"),
                .product(name: "MoonPresentationTesting", package: "Moonlight"),
                .product(name: "MoonlightRecording", package: "Moonlight"),
                .product(name: "Streams", package: "Moonlight"),
            ]),
        .executableTarget(
            name: "limits",
            dependencies: [
                "CAllocations", .product(name: "Moonlight", package: "Moonlight"),
                .product(name: "MoonlightRecording", package: "Moonlight"),
                .product(name: "MoonlightTesting", package: "Moonlight"),
                .product(name: "Streams", package: "Moonlight"),
            ]),
        .executableTarget(
            name: "leaks",
            dependencies: [
                "CAllocations", "Harness", .product(name: "Moonlight", package: "Moonlight"),
                .product(name: "MoonlightTesting", package: "Moonlight"), .product(name: "Streams", package: "Moonlight"),
            ]),
        .executableTarget(
            name: "exploration",
            dependencies: [
                .product(name: "Moonlight", package: "Moonlight"), .product(name: "MoonlightExploration", package: "Moonlight"),
                .product(name: "MoonlightTesting", package: "Moonlight"), .product(name: "Streams", package: "Moonlight"),
            ]),
        .executableTarget(
            name: "durability",
            dependencies: [
                .product(name: "Moonlight", package: "Moonlight"), .product(name: "MoonlightDurability", package: "Moonlight"),
                .product(name: "Streams", package: "Moonlight"),
            ]),
        .executableTarget(
            name: "fleet",
            dependencies: [
                "CAllocations", .product(name: "Moonlight", package: "Moonlight"),
                .product(name: "MoonlightDurability", package: "Moonlight"), .product(name: "Streams", package: "Moonlight"),
            ]),
        .executableTarget(
            name: "growth",
            dependencies: [
                "CAllocations", .product(name: "Moonlight", package: "Moonlight"),
                .product(name: "MoonlightDurability", package: "Moonlight"),
                .product(name: "MoonlightExploration", package: "Moonlight"),
                .product(name: "MoonlightRecording", package: "Moonlight"),
                .product(name: "MoonlightTesting", package: "Moonlight"), .product(name: "Streams", package: "Moonlight"),
            ]),
        .executableTarget(name: "benchmarks", dependencies: ["Harness", "ByHand", "OnMoonlight"]),
    ],
    swiftLanguageModes: [.v6]
)

// SQLite's C library, if it is installed: WITH_SQLITE=1 swift run -c release durability
if Context.environment["WITH_SQLITE"] != nil {
    package.targets.append(.systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]))
    for target in package.targets where target.name == "durability" {
        target.dependencies.append("CSQLite")
        target.swiftSettings = [.define("SQLITE")]
    }
}

if withPeers {
    package.dependencies += [
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
    ]
    package.targets += [
        // Its types are not prepared for Swift 6.
        .target(
            name: "OnOpenCombine", dependencies: ["Harness", .product(name: "OpenCombine", package: "OpenCombine")],
            swiftSettings: [.define("OPENCOMBINE"), .swiftLanguageMode(.v5)]),
        .target(
            name: "OnAsyncSequences",
            dependencies: ["Harness", .product(name: "AsyncAlgorithms", package: "swift-async-algorithms")]),
    ]
    for target in package.targets where target.name == "benchmarks" {
        target.dependencies += ["OnOpenCombine", "OnAsyncSequences"]
        target.swiftSettings = [.define("PEERS")]
    }
}
