import Foundation
import Harness

// Two small programs with each library, one with a stream and one with a loop: clean build, size and start.

private struct Program {
    let kind: ProgramKind
    let contender: Contender
    /// The name of the source file in the folder of its kind.
    let text: String
    var dependency = ""
    /// The products that it uses, and their package.
    var products: [String] = []
    var package = ""
    /// The name of a second source file.
    var addition: String?

    var imports: String { products.map { "import \($0)\n" }.joined() }
    var name: String { "\(kind.rawValue) with \(contender.rawValue)" }
}

private let moonlight = #".package(name: "Moonlight", path: "ROOT")"#
private let openCombine = #".package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0")"#
private let asyncAlgorithms = #".package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4")"#

private let programs = [
    Program(kind: .stream, contender: .byHand, text: "ByHand"),
    Program(
        kind: .stream, contender: .moonlight, text: "Combine", dependency: moonlight, products: ["Streams"],
        package: "Moonlight"),
    Program(
        kind: .stream, contender: .openCombine, text: "Combine", dependency: openCombine, products: ["OpenCombine"],
        package: "OpenCombine"),
    Program(
        kind: .stream, contender: .asyncSequences, text: "AsyncSequences", dependency: asyncAlgorithms,
        products: ["AsyncAlgorithms"], package: "swift-async-algorithms"),
    Program(kind: .loop, contender: .byHand, text: "ByHand"),
    Program(
        kind: .loop, contender: .moonlight, text: "Combine", dependency: moonlight, products: ["Moonlight", "Streams"],
        package: "Moonlight"),
    Program(
        kind: .loop, contender: .openCombine, text: "Combine", dependency: openCombine, products: ["OpenCombine"],
        package: "OpenCombine", addition: "Sources/OnOpenCombine/MoonKit.swift"),
]

/// Builds the programs in a separate folder, and measures them.
func programWorks() throws -> [Work] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moonlight-programs-\(getpid())")
    defer { try? FileManager.default.removeItem(at: folder) }
    #if PEERS
        let all = programs
    #else
        let all = programs.filter { !$0.contender.isPeer }
    #endif
    var works: [Work] = []
    var binaries: [(program: Program, path: String, milliseconds: Double)] = []
    for program in all {
        // The identity of a package is the name of its folder, which must differ from that of the library.
        let place = folder.appendingPathComponent(program.name)
        try lay(program, at: place)
        // Fetching and manifests are not part of the measured build.
        try output("swift", "package", "resolve", at: place)
        FileHandle.standardError.write(Data("Programs: building a \(program.name)\n".utf8))
        let start = Date()
        try output("swift", "build", "-c", "release", "--static-swift-stdlib", at: place)
        works.append(Work(.buildTime(program.kind), program.contender, known: Date().timeIntervalSince(start)))
        let binary = place.appendingPathComponent(".build/release/small").path
        try output("strip", binary)
        let size = try FileManager.default.attributesOfItem(atPath: binary)[.size] as? Int ?? 0
        works.append(Work(.size(program.kind), program.contender, known: Double(size) / 1e6))
        binaries.append((program, binary, .infinity))
    }
    // Alternately, and the minimum of many, because other load only adds time.
    for _ in 0..<200 {
        for index in binaries.indices {
            binaries[index].milliseconds = min(binaries[index].milliseconds, try startUp(binaries[index].path))
        }
    }
    return works + binaries.map { Work(.startUp($0.program.kind), $0.program.contender, known: $0.milliseconds) }
}

private func lay(_ program: Program, at place: URL) throws {
    let sources = place.appendingPathComponent("Sources/small")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    let root = URL(fileURLWithPath: "..").standardizedFileURL.path
    let products = program.products.map { ".product(name: \"\($0)\", package: \"\(program.package)\")" }
    let manifest = """
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(
            name: "small", platforms: [.macOS(.v15)], dependencies: [\(program.dependency)],
            targets: [.executableTarget(name: "small", dependencies: [\(products.joined(separator: ", "))])],
            swiftLanguageModes: [.v5])
        """.replacingOccurrences(of: "ROOT", with: root)
    try manifest.write(to: place.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
    var texts = [("main", "Programs/\(program.kind.rawValue)/\(program.text).swift")]
    if let addition = program.addition { texts.append(("Addition", addition)) }
    for (name, path) in texts {
        let text = try program.imports + String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
        try text.write(to: sources.appendingPathComponent("\(name).swift"), atomically: true, encoding: .utf8)
    }
}

/// Returns the milliseconds from the start of a program to its end, with its output discarded.
private func startUp(_ binary: String) throws -> Double {
    #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
    #else
        var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    let name = strdup(binary)
    defer { free(name) }
    var arguments = [name, nil]
    var (child, status) = (pid_t(), Int32())
    let start = DispatchTime.now().uptimeNanoseconds
    guard posix_spawn(&child, binary, &actions, nil, &arguments, environ) == 0, waitpid(child, &status, 0) == child, status == 0
    else { throw Mistake("cannot run \(binary)") }
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
}
