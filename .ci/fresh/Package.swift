// swift-tools-version: 6.0
import PackageDescription

// A package of somebody else's: see `.ci/fresh-package`, which puts it together. Everything is there twice, in Swift 5 and in
// Swift 6 mode: what it uses is public, and compiles without a warning.
let samples = ["basket", "cars", "counter", "download", "history"]
let libraries: [Target.Dependency] = ["Streams", "Moonlight", "MoonlightTesting", "MoonFoundation", "MoonDecimalNumber"]
    .map { .product(name: $0, package: "Moonlight") }

let package = Package(
    name: "Fresh",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Moonlight", path: "MOONLIGHT")],
    targets: [5, 6].flatMap { mode -> [Target] in
        let settings: [SwiftSetting] = [
            .swiftLanguageMode(mode == 5 ? .v5 : .v6), .unsafeFlags(["-warnings-as-errors"]),
        ]
        // What the samples share is there once only.
        let shared: [Target] = [
            .target(name: "OwnTerminal", dependencies: libraries, path: "Sources/OwnTerminal", swiftSettings: settings),
            .target(name: "OwnLoopback", dependencies: libraries + ["OwnTerminal"], path: "Sources/OwnLoopback", swiftSettings: settings),
        ]
        return (mode == 6 ? shared : [])
            + samples.map {
                .executableTarget(
                    name: "\($0)\(mode)", dependencies: libraries + ["OwnTerminal", "OwnLoopback"], path: "Sources/\($0)\(mode)",
                    exclude: ["README.md"],
                    // They name functions where closures are wanted, of which Swift 5 does not know by itself that they are Sendable.
                    swiftSettings: settings + (mode == 5 ? [.enableUpcomingFeature("InferSendableFromCaptures")] : []))
            } + [
                .executableTarget(
                    name: "vocabulary\(mode)", dependencies: libraries, path: "Sources/vocabulary\(mode)",
                    swiftSettings: settings)
            ]
    }
)
