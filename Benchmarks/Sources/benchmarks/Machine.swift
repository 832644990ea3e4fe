import Foundation

/// The machine and the versions of a measurement.
struct Machine: Codable {
    let processor: String
    let cores: Int
    let system: String
    let swift: String
    let peers: [String: String]

    static func current() -> Machine {
        Machine(
            processor: processor, cores: ProcessInfo.processInfo.processorCount,
            system: ProcessInfo.processInfo.operatingSystemVersionString, swift: swift, peers: peers)
    }

    var description: String {
        let peers = peers.map { "\($0) \($1)" }.sorted().joined(separator: ", ")
        return "\(processor), \(cores) cores; \(system); \(swift)" + (peers.isEmpty ? "" : "; \(peers)")
    }

    private static var processor: String {
        #if os(Linux)
            let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
            let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
            return model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
        #else
            return (try? output("sysctl", "-n", "machdep.cpu.brand_string")) ?? "unknown processor"
        #endif
    }

    private static var swift: String {
        let text = (try? output("swift", "--version")) ?? ""
        let version = text.split(separator: "\n").first { $0.contains("Swift version") } ?? "Swift"
        return version.split(separator: "(")[0].trimmingCharacters(in: .whitespaces)
    }

    /// The versions resolved by the package manager.
    private static var peers: [String: String] {
        struct Resolved: Decodable {
            struct Pin: Decodable {
                struct State: Decodable { let version: String? }
                let identity: String
                let state: State
            }
            let pins: [Pin]
        }
        guard let data = FileManager.default.contents(atPath: "Package.resolved"),
            let resolved = try? JSONDecoder().decode(Resolved.self, from: data)
        else { return [:] }
        let names = ["opencombine": "OpenCombine", "swift-async-algorithms": "swift-async-algorithms"]
        return Dictionary(
            uniqueKeysWithValues: resolved.pins.compactMap { pin in
                names[pin.identity].flatMap { name in pin.state.version.map { (name, $0) } }
            })
    }
}
