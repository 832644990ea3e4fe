import Foundation
import Moonlight
import MoonlightDurability
import Streams

/// A member whose state depends on the order of its events.
struct Sum: Equatable, Sendable {
    var hash = 0
    var count = 0

    mutating func add(_ amount: Int) { (hash, count) = (hash &* 31 &+ amount, count + 1) }

    static let reducer = Reducer<Sum, Int, Int, Void>(
        transform: { _, amount, _ in .just(amount) }, apply: { (sum: inout Sum, amount: Int) in sum.add(amount) })

    /// The encodings: eight bytes for an amount, sixteen for a state.
    static let amounts = Schema(
        Int.self, version: 1,
        codec: Codec(
            encode: { withUnsafeBytes(of: $0, Array.init) }, decode: { $0.withUnsafeBytes { $0.loadUnaligned(as: Int.self) } }))
    static let states = Schema(
        Sum.self, version: 1,
        codec: Codec(
            encode: { withUnsafeBytes(of: $0.hash, Array.init) + withUnsafeBytes(of: $0.count, Array.init) },
            decode: { bytes in
                bytes.withUnsafeBytes {
                    Sum(hash: $0.loadUnaligned(as: Int.self), count: $0.loadUnaligned(fromByteOffset: 8, as: Int.self))
                }
            }))

    static func fleet(
        _ folder: String, _ degree: Acknowledgment = .afterSync, resident: Int = 1_000_000, inbox: InboxBound = .unbounded,
        idle: Duration = .seconds(3600)
    ) -> Fleet<Int, Sum, Int> {
        Fleet(
            reducer: reducer, environment: { _ in },
            durable: DurableFleet(
                storage: FleetFolder(folder), schema: amounts, state: states, acknowledge: degree, snapshotEvery: 16),
            resident: resident,
            idle: idle, inbox: inbox, initialState: { _ in Sum() })
    }
}

/// Calls a body with a folder that is removed afterwards.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.currentDirectoryPath + "/.fleet-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}

/// A line of `/proc/self/status`, in MB: `VmRSS` is the current value, `VmHWM` the peak.
func megabytes(_ name: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }.map {
        $0 / 1024
    }
}

func row(_ name: String, _ value: String) { FileHandle.standardOutput.write(Data("| \(name) | \(value) |\n".utf8)) }
func rate(_ count: Int, _ time: Duration) -> String { "\(Int(Double(count) / (time / .seconds(1)))) a second" }

/// A deterministic random number generator.
struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
