import Foundation
@_spi(Storage) import MoonlightNATS
import Synchronization

/// Three private NATS servers on the loopback interface, with three replicas.
final class Cluster: Sendable {
    static let program = Programs.path(of: "nats-server")
    static var isInstalled: Bool { program != nil || Programs.areNeeded }
    static let comment = "no NATS server is installed: apt-get install nats-server"

    /// The cluster shared by the tests that do not stop it.
    static let shared = Result { try Cluster() }

    private let folder: String
    private let ports: [(client: Int, route: Int)]
    private let processes = Mutex<[Int: pid_t]>([:])

    init() throws {
        guard Self.program != nil else { throw Programs.Failure(description: Self.comment) }
        folder = FileManager.default.temporaryDirectory.path + "/mnats-\(UInt32.random(in: 0...UInt32.max))"
        let free = try Ports.free(6)
        ports = (0..<3).map { (free[$0], free[3 + $0]) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for number in 0..<3 { try start(number) }
        Programs.atExit { [self] in remove() }
    }

    var nats: NATS { nats() }

    func nats(lease: Duration = .seconds(6), patience: Duration = .seconds(30)) -> NATS {
        NATS(ports.map { "nats://127.0.0.1:\($0.client)" }, replicas: 3, lease: lease, patience: patience)
    }

    /// Returns a description of one of the servers.
    func nats(only number: Int) -> NATS {
        NATS(["nats://127.0.0.1:\(ports[number].client)"], replicas: 3, lease: .seconds(6), patience: .seconds(30))
    }

    func start(_ number: Int) throws {
        let routes = ports.map { "nats://127.0.0.1:\($0.route)" }.joined(separator: ",")
        let process = try Programs.start(
            Self.program ?? "",
            [
                "-a", "127.0.0.1", "-p", "\(ports[number].client)", "-n", "s\(number)", "-js", "-sd", "\(folder)/s\(number)",
                "--cluster_name", "tested", "--cluster", "nats://127.0.0.1:\(ports[number].route)", "--routes", routes,
            ], log: "\(folder)/log\(number)")
        processes.withLock { $0[number] = process }
    }

    func kill(_ number: Int) {
        guard let process = processes.withLock({ $0.removeValue(forKey: number) }) else { return }
        Programs.end(process)
    }

    /// Suspends a server while a closure runs.
    func whilePaused<Result>(_ number: Int, _ body: () throws -> Result) rethrows -> Result {
        let process = processes.withLock { $0[number] }
        if let process { Foundation.kill(process, SIGSTOP) }
        defer { if let process { Foundation.kill(process, SIGCONT) } }
        return try body()
    }

    func remove() {
        for number in 0..<3 { kill(number) }
        try? FileManager.default.removeItem(atPath: folder)
    }
}
