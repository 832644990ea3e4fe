// swift-tools-version: 6.0
import PackageDescription

// An external package, which `.ci/fresh-package` assembles from the samples, the programs of Benchmarks, and programs that use
// the whole vocabulary. They can only use public API, and must compile without a warning.
let samples = [
    "basket", "cars", "chart", "counter", "download", "form", "history", "inline", "ledger", "mouse", "notes", "process",
    "rewind", "search", "server", "table", "tabs", "tree",
]
let products = [
    "Streams", "StreamLimits", "Moonlight", "MoonlightTesting", "MoonlightExploration", "MoonlightDurability",
    "MoonlightRecording", "MoonlightRecordingTesting", "MoonPresentation", "MoonPresentationTesting", "MoonFoundation",
]
let libraries: [Target.Dependency] = products.map { .product(name: $0, package: "Moonlight") }
let strict: [SwiftSetting] = [.unsafeFlags(["-warnings-as-errors"])]
// In a release build, only the libraries are optimized, or everything with `FRESH_OPTIMISED=1`, as in `.ci/nightly`.
let plain: [SwiftSetting] =
    Context.environment["FRESH_OPTIMISED"] == nil ? [.unsafeFlags(["-warnings-as-errors", "-Onone"])] : strict

// The samples in Swift 5 mode, too: `FRESH_SWIFT_5=1`, as in `.ci/nightly`.
let withSwift5 = Context.environment["FRESH_SWIFT_5"] != nil

var targets: [Target] = [
    .executableTarget(name: "PresentationProbe", dependencies: libraries, swiftSettings: plain),
    .target(name: "CAllocations"),
    .target(name: "Harness", dependencies: ["CAllocations"], swiftSettings: strict),
    .target(name: "ByHand", dependencies: ["Harness"], swiftSettings: strict),
    .target(name: "OnMoonlight", dependencies: libraries + ["Harness"], swiftSettings: strict),
    .executableTarget(name: "benchmarks", dependencies: ["Harness", "ByHand", "OnMoonlight"], swiftSettings: strict),
    .executableTarget(name: "limits", dependencies: libraries + ["CAllocations"], swiftSettings: strict),
    .executableTarget(name: "leaks", dependencies: libraries + ["CAllocations", "Harness"], swiftSettings: strict),
    .executableTarget(name: "vocabulary6", dependencies: libraries, swiftSettings: plain),
    .executableTarget(name: "vocabulary5", dependencies: libraries, swiftSettings: plain + [.swiftLanguageMode(.v5)]),
    .executableTarget(name: "atmain", dependencies: libraries, swiftSettings: plain),
    // As in a new Xcode project; the setting itself needs a manifest of Swift 6.2.
    .executableTarget(
        name: "mainactor", dependencies: libraries,
        swiftSettings: plain + [.unsafeFlags(["-default-isolation", "MainActor"])]),
    // The Swift code of the README, unchanged.
    .target(name: "readme", dependencies: libraries, swiftSettings: plain),
]
// Renamed, because the package manager would also build the executables of this package with the same names.
for sample in samples {
    targets.append(
        .executableTarget(name: "fresh-\(sample)", dependencies: libraries, swiftSettings: plain))
    guard withSwift5 else { continue }
    targets.append(
        .executableTarget(
            name: "fresh-\(sample)5", dependencies: libraries,
            // They pass functions as closures, which Swift 5 does not infer to be Sendable.
            swiftSettings: plain + [.swiftLanguageMode(.v5), .enableUpcomingFeature("InferSendableFromCaptures")]))
}

let package = Package(
    name: "Fresh",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Moonlight", path: "MOONLIGHT")],
    targets: targets,
    swiftLanguageModes: [.v6]
)
