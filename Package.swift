// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Moonlight",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Streams", targets: ["Streams"]),
        .library(name: "StreamLimits", targets: ["StreamLimits"]),
        .library(name: "Moonlight", targets: ["Moonlight"]),
        .library(name: "MoonlightTesting", targets: ["MoonlightTesting"]),
        .library(name: "MoonlightExploration", targets: ["MoonlightExploration"]),
        .library(name: "MoonlightDurability", targets: ["MoonlightDurability"]),
        .library(name: "MoonPresentation", targets: ["MoonPresentation"]),
        .library(name: "MoonPresentationTesting", targets: ["MoonPresentationTesting"]),
        .library(name: "MoonlightRecording", targets: ["MoonlightRecording"]),
        .library(name: "MoonlightRecordingTesting", targets: ["MoonlightRecordingTesting"]),
        .library(name: "MoonFoundation", targets: ["MoonFoundation"]),
        .executable(name: "moonlight", targets: ["MoonlightTool"]),
    ],
    targets: [
        .target(name: "Streams"),
        .target(name: "StreamLimits", dependencies: ["Streams"]),
        // Lists of children. Moonlight exports it.
        .target(name: "IdentifiedLists", dependencies: ["PlainText"]),
        // Descriptions of values, and the fields in which two values differ. Moonlight exports it.
        .target(name: "PlainText"),
        // Values that a loop takes and reports: slots, ids, errors, journal records. Moonlight exports it.
        .target(name: "LoopValues", dependencies: ["IdentifiedLists", "PlainText"]),
        .target(name: "Moonlight", dependencies: ["IdentifiedLists", "LoopValues", "PlainText", "Streams"]),
        // Values as Swift source, and the text of calls in source files.
        .target(name: "SwiftText", dependencies: ["PlainText"]),
        .target(name: "MoonlightTesting", dependencies: ["Moonlight", "Streams", "SwiftText"]),
        .target(
            name: "MoonlightExploration",
            dependencies: ["MoonlightTesting", "Moonlight", "Streams", "SwiftText", "SystemCalls"]),
        .target(name: "MoonlightDurability", dependencies: ["Moonlight", "PlainText", "Streams"]),
        .target(
            name: "MoonlightRecording", dependencies: ["Moonlight", "PlainText", "Streams", "SwiftText", "SystemCalls"]),
        .target(
            name: "MoonlightRecordingTesting", dependencies: ["MoonlightRecording", "MoonlightTesting", "Moonlight", "Streams"]),
        // Files that are replaced in one step, and threads.
        .target(name: "SystemCalls"),
        .executableTarget(
            name: "MoonlightTool", dependencies: ["MoonlightDurability", "MoonlightRecording"], path: "Tools/moonlight"),
        .target(name: "MoonPresentation", dependencies: ["Moonlight", "PlainText", "Streams", "SystemCalls"]),
        .target(
            name: "MoonPresentationTesting",
            dependencies: ["MoonPresentation", "MoonlightTesting", "Moonlight", "PlainText", "Streams"]),
        .executableTarget(
            name: "FramesTool", dependencies: ["MoonPresentation", "MoonPresentationTesting"], path: "Tools/frames"),
        .target(name: "MoonFoundation", dependencies: ["PlainText", "SystemCalls"]),
        .target(name: "MoonlightTestSupport", dependencies: ["Moonlight", "Streams"], path: "Tests/Support"),
        .testTarget(name: "StreamsTests", dependencies: ["Streams", "MoonlightTestSupport"]),
        .testTarget(name: "StreamLimitsTests", dependencies: ["StreamLimits", "Streams", "MoonlightTestSupport"]),
        .testTarget(
            name: "MoonlightTests",
            dependencies: ["IdentifiedLists", "LoopValues", "Moonlight", "PlainText", "Streams", "MoonlightTestSupport"]),
        .testTarget(
            name: "MoonlightTestingTests",
            dependencies: ["MoonlightTesting", "Moonlight", "MoonlightTestSupport", "StreamLimits", "Streams", "SwiftText"]),
        .testTarget(
            name: "MoonlightExplorationTests",
            dependencies: [
                "MoonlightTestSupport", "MoonlightExploration", "MoonlightTesting", "MoonFoundation", "LoopValues", "Moonlight",
                "Streams", "SwiftText",
            ]),
        .testTarget(
            name: "MoonlightDurabilityTests",
            dependencies: [
                "MoonlightDurability", "Moonlight", "MoonlightExploration", "MoonlightTestSupport", "MoonlightTesting",
                "StreamLimits", "Streams",
            ]),
        .testTarget(
            name: "MoonPresentationTests",
            dependencies: [
                "MoonPresentation", "MoonPresentationTesting", "FramesTool", "MoonlightTesting", "Moonlight",
                "MoonlightTestSupport", "Streams",
            ],
            // Frames that tests compare with.
            exclude: ["Pages/Frames"]),
        .testTarget(
            name: "MoonlightRecordingTests",
            dependencies: [
                "MoonlightRecording", "MoonlightRecordingTesting", "MoonlightDurability", "MoonlightTesting", "Moonlight",
                "MoonlightTestSupport", "Streams", "SwiftText",
            ]),
        // What `.ci/drive-presentation` and `Benchmarks/terminal` drive.
        .executableTarget(
            name: "PresentationProbe", dependencies: ["MoonPresentation", "Moonlight", "Streams"], path: "Tests/Programs/probe"),
        .testTarget(name: "MoonFoundationTests", dependencies: ["MoonFoundation", "MoonlightTestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

// The samples: `swift run history`, and so on. Each is a folder of Samples, most of one file; all use these three libraries, some others.
let samples: [String: [Target.Dependency]] = [
    "basket": ["MoonFoundation"], "cars": ["MoonFoundation"], "chart": [], "counter": [], "download": [], "form": [],
    "history": [],
    "inline": [], "ledger": ["MoonlightDurability"], "mouse": [], "notes": [], "process": [], "rewind": ["MoonlightRecording"],
    "search": [], "server": [], "table": [], "tabs": [], "tree": [],
]
// A checkout that another package depends on has none of them, because a program of that package may have the name of a sample, such as
// `server`, and `swift run` would start the sample.
let isDependency = ["/.build/checkouts/", "/SourcePackages/checkouts/"].contains { Context.packageDirectory.contains($0) }
func target(of sample: String) -> String { sample.prefix(1).uppercased() + sample.dropFirst() + "Sample" }
for (name, libraries) in samples.sorted(by: { $0.key < $1.key }) where !isDependency {
    package.products.append(.executable(name: name, targets: [target(of: name)]))
    package.targets.append(
        .executableTarget(
            name: target(of: name), dependencies: ["MoonPresentation", "Moonlight", "Streams"] + libraries,
            path: "Samples/" + name))
}
let samplesTests = Target.testTarget(
    name: "SamplesTests",
    dependencies: [
        "MoonPresentationTesting", "MoonPresentation", "MoonlightDurability", "MoonlightRecording", "MoonlightTesting",
        "Moonlight", "MoonFoundation", "MoonlightTestSupport", "Streams",
    ] + samples.keys.sorted().map { .byName(name: target(of: $0)) },
    // Frames that tests compare with.
    exclude: ["Frames"])
if !isDependency { package.targets.append(samplesTests) }

// Schedules by force: `SCHEDULES=1 swift test --scratch-path .build-schedules` builds only what it tests, with every lock and
// atomic made a place where threads can be switched. See CONTRIBUTING.
if Context.environment["SCHEDULES"] != nil {
    package.products = []
    let kept = [
        "Streams", "StreamLimits", "IdentifiedLists", "PlainText", "LoopValues", "Moonlight", "SwiftText", "MoonlightTesting",
        "MoonlightTestSupport",
    ]
    package.targets.removeAll { !kept.contains($0.name) }
    package.targets.append(.testTarget(name: "SchedulesTests", dependencies: kept.map { .byName(name: $0) }))
    // Streams with a lock and an atomic of its own.
    let streams = package.targets.first { $0.name == "Streams" }
    streams?.path = "Sources"
    streams?.sources = ["Streams", "SwitchPoints"]
    streams?.exclude = [
        "StreamLimits", "IdentifiedLists", "PlainText", "LoopValues", "Moonlight", "MoonlightTesting", "MoonlightExploration",
        "MoonlightDurability", "MoonlightRecording", "MoonPresentation", "MoonPresentationTesting", "MoonFoundation",
        "SystemCalls", "SwiftText",
        "MoonlightRecordingTesting", "Streams/Streams.docc",
    ]
    for target in package.targets { target.swiftSettings = [.define("SCHEDULES")] }
}

// Some targets and what they need, with nothing else built: `ONLY=StreamsTests,MoonlightTests swift test --scratch-path .build-only`.
if let only = Context.environment["ONLY"] {
    var kept: Set<String> = []
    func keep(_ name: String) {
        guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { return }
        for dependency in target.dependencies { if case .byNameItem(let name, _) = dependency { keep(name) } }
    }
    for name in only.split(separator: ",") { keep(String(name)) }
    package.products = []
    package.targets.removeAll { !kept.contains($0.name) }
}
