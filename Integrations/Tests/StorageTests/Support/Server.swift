import Foundation
@_spi(Storage) import MoonlightPostgreSQL
import Synchronization

/// A private PostgreSQL server in a temporary folder, with a Unix socket.
final class Server: Sendable {
    /// The folder of the server's programs; nil if none is installed.
    static let programs: String? = {
        let debian = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let newest = debian.compactMap(Int.init).max().map { "/usr/lib/postgresql/\($0)/bin" }
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return ([newest].compactMap { $0 } + path).first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    }()

    /// True if a server is installed. CI sets `MOONLIGHT_NEEDS_SERVERS`, so that the tests fail instead of being skipped.
    static var isInstalled: Bool { programs != nil || Programs.areNeeded }
    static let comment = "no PostgreSQL server is installed: apt-get install postgresql"

    /// The server shared by the tests that do not stop it. It ends with the process.
    static let shared = Result { try Server(isShared: true) }

    private let folder: String

    init(isShared: Bool = false) throws {
        guard Self.programs != nil else { throw Programs.Failure(description: Self.comment) }
        // Short, because the path of a socket has at most about a hundred bytes.
        folder = FileManager.default.temporaryDirectory.path + "/mpg-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if geteuid() == 0 { try Programs.run("/bin/chown", "postgres", folder) }
        try program("initdb", "-D", folder + "/data", "-A", "trust", "-U", "postgres", "-N", "--no-locale", "-E", "UTF8")
        try start()
        if isShared { Self.stopAtExit(folder) }
    }

    /// The connection to the server.
    var database: PostgreSQL { database() }

    func database(patience: Duration = .seconds(30), answerTime: Duration = .seconds(10)) -> PostgreSQL {
        PostgreSQL(
            "host=\(folder) dbname=postgres user=postgres", schema: "tested", patience: patience, answerTime: answerTime)
    }

    func start() throws {
        // The server inherits open files.
        try program(
            "pg_ctl", "start", "-w", "-D", folder + "/data", "-l", folder + "/log", "-o",
            "-c listen_addresses='' -c unix_socket_directories=\(folder) -c shared_buffers=16MB -c max_connections=60")
    }

    /// Stops the server without a final write, as a loss of power would; it recovers at the next start.
    func crash() throws { try program("pg_ctl", "stop", "-m", "immediate", "-w", "-D", folder + "/data") }

    func stop() throws { try program("pg_ctl", "stop", "-m", "fast", "-w", "-D", folder + "/data") }

    /// Suspends or resumes the server, with the processes of all connections.
    func freeze(_ isFrozen: Bool) throws {
        guard let postmaster = Self.process(of: folder) else {
            throw Programs.Failure(description: "no server runs in \(folder)")
        }
        let children = (try? String(contentsOfFile: "/proc/\(postmaster)/task/\(postmaster)/children", encoding: .utf8)) ?? ""
        for process in [postmaster] + children.split(separator: " ").compactMap({ Int32($0) }) {
            kill(process, isFrozen ? SIGSTOP : SIGCONT)
        }
    }

    private static func process(of folder: String) -> Int32? {
        let text = try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
        return text?.split(separator: "\n").first.flatMap { Int32($0) }
    }

    func remove() {
        _ = try? program("pg_ctl", "stop", "-m", "immediate", "-w", "-D", folder + "/data")
        try? FileManager.default.removeItem(atPath: folder)
    }

    @discardableResult
    func query(_ sql: String) throws -> String {
        try program("psql", "-h", folder, "-U", "postgres", "-d", "postgres", "-Atqc", sql)
    }

    /// Runs a program of the server, as a user other than root, which it refuses.
    @discardableResult
    private func program(_ name: String, _ arguments: String...) throws -> String {
        let path = (Self.programs ?? "") + "/" + name
        guard geteuid() == 0 else { return try Programs.run(path, arguments) }
        return try Programs.run("/sbin/runuser", ["-u", "postgres", "--", path] + arguments)
    }

    private static func stopAtExit(_ folder: String) {
        Programs.atExit {
            guard let process = Server.process(of: folder) else { return }
            Programs.end(process, by: SIGQUIT)
            try? FileManager.default.removeItem(atPath: folder)
        }
    }
}
