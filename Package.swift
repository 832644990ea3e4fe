// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Moonlight",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Streams", targets: ["Streams"]),
        .library(name: "Moonlight", targets: ["Moonlight"]),
        .library(name: "MoonlightTesting", targets: ["MoonlightTesting"]),
        .library(name: "MoonFoundation", targets: ["MoonFoundation"]),
        .library(name: "MoonDecimalNumber", targets: ["MoonDecimalNumber"]),
        .executable(name: "history", targets: ["history"]),
        .executable(name: "download", targets: ["download"]),
        .executable(name: "counter", targets: ["counter"]),
        .executable(name: "basket", targets: ["basket"]),
        .executable(name: "cars", targets: ["cars"]),
    ],
    targets: [
        .target(name: "Streams"),
        .target(name: "Moonlight", dependencies: ["Streams"]),
        .target(name: "MoonlightTesting", dependencies: ["Moonlight", "Streams"]),
        .target(name: "MoonFoundation"),
        .target(name: "MoonDecimalNumber", dependencies: ["MoonFoundation"]),
        .target(name: "Terminal", dependencies: ["Streams"], path: "Samples/Terminal"),
        .target(name: "Loopback", dependencies: ["Terminal"], path: "Samples/Loopback"),
        .executableTarget(
            name: "history", dependencies: ["Moonlight", "Streams", "Terminal"], path: "Samples/history"),
        .executableTarget(
            name: "download", dependencies: ["Loopback", "Moonlight", "Streams", "Terminal"], path: "Samples/download",
            exclude: ["README.md"]),
        .executableTarget(
            name: "counter", dependencies: ["Loopback", "Moonlight", "Streams", "Terminal"], path: "Samples/counter",
            exclude: ["README.md"]),
        .executableTarget(
            name: "basket", dependencies: ["MoonFoundation", "Moonlight", "Streams", "Terminal"],
            path: "Samples/basket",
            exclude: ["README.md"]),
        .executableTarget(
            name: "cars", dependencies: ["MoonFoundation", "Moonlight", "Streams", "Terminal"], path: "Samples/cars",
            exclude: ["README.md"]),
        .testTarget(name: "StreamsTests", dependencies: ["Streams"]),
        .testTarget(name: "MoonlightTests", dependencies: ["Moonlight", "Streams"]),
        .testTarget(name: "MoonlightTestingTests", dependencies: ["MoonlightTesting", "Moonlight", "Streams"]),
        .testTarget(name: "MoonFoundationTests", dependencies: ["MoonFoundation"]),
        .testTarget(name: "MoonDecimalNumberTests", dependencies: ["MoonDecimalNumber", "MoonFoundation"]),
        .testTarget(name: "HistoryTests", dependencies: ["history", "Moonlight", "Streams", "Terminal"]),
        .testTarget(
            name: "DownloadTests",
            dependencies: ["download", "Loopback", "Moonlight", "MoonlightTesting", "Streams", "Terminal"]),
        .testTarget(
            name: "CounterTests",
            dependencies: ["counter", "Loopback", "Moonlight", "MoonlightTesting", "Streams", "Terminal"]),
        .testTarget(
            name: "BasketTests",
            dependencies: ["basket", "MoonFoundation", "Moonlight", "MoonlightTesting", "Streams", "Terminal"]),
        .testTarget(
            name: "CarsTests",
            dependencies: ["cars", "MoonFoundation", "Moonlight", "MoonlightTesting", "Streams", "Terminal"]),
    ],
    swiftLanguageModes: [.v6]
)

// Schedules by force: `SCHEDULES=1 swift test --scratch-path .build-schedules` builds only what it tests, with every lock and
// atomic made a place where threads can be switched. See CONTRIBUTING.
if Context.environment["SCHEDULES"] != nil {
    package.products = []
    package.targets.removeAll { !["Streams", "Moonlight"].contains($0.name) }
    package.targets.append(.testTarget(name: "SchedulesTests", dependencies: ["Moonlight", "Streams"]))
    for target in package.targets { target.swiftSettings = [.define("SCHEDULES")] }
}
