import Foundation
import Harness

// A small program with each library, from a clean build to its start.

private let programs: [(contender: Contender, dependencies: String, products: String)] = [
    (.byHand, "", ""),
    (
        .moonlight, #".package(name: "Moonlight", path: "ROOT")"#,
        #".product(name: "Moonlight", package: "Moonlight"), .product(name: "Streams", package: "Moonlight")"#
    ),
    (
        .openCombine, #".package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0")"#,
        #".product(name: "OpenCombine", package: "OpenCombine")"#
    ),
    (
        .asyncSequences, #".package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4")"#,
        #".product(name: "AsyncAlgorithms", package: "swift-async-algorithms")"#
    ),
]

/// Builds the programs, in a folder of their own, and measures them.
func programWorks() throws -> [Work] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moonlight-programs-\(getpid())")
    defer { try? FileManager.default.removeItem(at: folder) }
    #if PEERS
        let all = programs
    #else
        let all = programs.filter { !$0.contender.isPeer }
    #endif
    return try all.flatMap { program in
        // A package goes by its folder's name: it must not have that of the library.
        let place = folder.appendingPathComponent("small program with \(program.contender.rawValue)")
        try lay(program.contender, program.dependencies, program.products, at: place)
        // What is fetched, and the manifests, are no part of the build.
        try output("swift", "package", "resolve", at: place)
        FileHandle.standardError.write(Data("Programs: building with \(program.contender.rawValue)\n".utf8))
        let start = Date()
        try output("swift", "build", "-c", "release", "--static-swift-stdlib", at: place)
        let duration = Date().timeIntervalSince(start)
        let binary = place.appendingPathComponent(".build/release/small").path
        try output("strip", binary)
        let size = try FileManager.default.attributesOfItem(atPath: binary)[.size] as? Int ?? 0
        return [
            Work(.startUp, program.contender, known: try startUp(binary)),
            Work(.size, program.contender, known: Double(size) / 1e6),
            Work(.buildTime, program.contender, known: duration),
        ]
    }
}

private func lay(_ contender: Contender, _ dependencies: String, _ products: String, at place: URL) throws {
    let sources = place.appendingPathComponent("Sources/small")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    let root = URL(fileURLWithPath: "..").standardizedFileURL.path
    let manifest = """
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(
            name: "small", platforms: [.macOS(.v15)], dependencies: [\(dependencies)],
            targets: [.executableTarget(name: "small", dependencies: [\(products)])], swiftLanguageModes: [.v5])
        """.replacingOccurrences(of: "ROOT", with: root)
    try manifest.write(to: place.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
    try FileManager.default.copyItem(
        at: URL(fileURLWithPath: "Programs/\(contender.rawValue).swift"), to: sources.appendingPathComponent("main.swift"))
}

/// Milliseconds from its start to its end, the least of many: what else the machine does only adds to it.
private func startUp(_ binary: String) throws -> Double {
    var best = Double.infinity
    for _ in 0..<100 {
        let start = DispatchTime.now().uptimeNanoseconds
        try output(binary)
        best = min(best, Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
    }
    return best
}
