// swift-tools-version: 6.0
import PackageDescription

// A package of somebody else's: see `.ci/fresh-package`, which puts it together. Everything is there twice, in Swift 5 and in
// Swift 6 mode: what it uses is public, and compiles without a warning. Its targets have names that any program may have.
let samples = ["basket", "cars", "counter", "download", "history", "ledger"]
let products = [
    "Streams", "Moonlight", "MoonlightTesting", "MoonlightExploration", "MoonlightDurability", "MoonlightRecording",
    "MoonPresentation", "MoonPresentationTesting", "MoonFoundation", "MoonDecimalNumber",
]
let libraries: [Target.Dependency] = products.map { .product(name: $0, package: "Moonlight") }

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
            .target(name: "Support", dependencies: libraries, swiftSettings: settings),
            .target(name: "Loopback", dependencies: libraries + ["Support"], swiftSettings: settings),
        ]
        return (mode == 6 ? shared : [])
            + samples.map {
                .executableTarget(
                    name: mode == 5 ? "\($0)5" : $0, dependencies: libraries + ["Support", "Loopback"],
                    exclude: ["README.md"],
                    // They name functions where closures are wanted, of which Swift 5 does not know by itself that they are Sendable.
                    swiftSettings: settings + (mode == 5 ? [.enableUpcomingFeature("InferSendableFromCaptures")] : []))
            } + [
                .executableTarget(
                    name: "vocabulary\(mode)", dependencies: libraries, path: "Sources/vocabulary\(mode)",
                    swiftSettings: settings)
            ]
            // The README's Swift, as it stands there.
            + (mode == 6 ? [.target(name: "readme", dependencies: libraries, swiftSettings: settings)] : [])
    }
)
