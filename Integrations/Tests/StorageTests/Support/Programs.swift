import Foundation
import Synchronization

/// Programs that tests start.
enum Programs {
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// CI sets this, so that tests whose servers are not installed fail there instead of being skipped.
    static var areNeeded: Bool { ProcessInfo.processInfo.environment["MOONLIGHT_NEEDS_SERVERS"] != nil }

    /// The path of a program; nil if it is not installed.
    static func path(of name: String) -> String? {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (path + ["/usr/sbin", "/usr/bin"]).map { $0 + "/" + name }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    @discardableResult
    static func run(_ path: String, _ arguments: String...) throws -> String { try run(path, arguments) }

    static func run(_ path: String, _ arguments: [String]) throws -> String {
        // Foundation's `Process` would also wait for background processes of the program, such as a server.
        let file = FileManager.default.temporaryDirectory.path + "/mpg-output-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let words = ["/bin/sh", "-c", "cd /; exec \"$@\" </dev/null >\(file) 2>&1", "sh", path] + arguments
        var (process, status) = (pid_t(0), Int32(0))
        let texts = words.map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        guard posix_spawn(&process, words[0], nil, nil, texts, environ) == 0 else {
            throw Failure(description: "\(path) cannot be started")
        }
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        guard status == 0 else {
            throw Failure(description: "\(path) \(arguments.joined(separator: " ")): \(text.suffix(2000))")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Starts a program, and returns at once.
    ///
    /// - Returns: Its process.
    static func start(_ path: String, _ arguments: [String], log: String) throws -> pid_t {
        let words = ["/bin/sh", "-c", "cd /; exec \"$@\" </dev/null >>\(log) 2>&1", "sh", path] + arguments
        var process = pid_t(0)
        let texts = words.map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        guard posix_spawn(&process, words[0], nil, nil, texts, environ) == 0 else {
            throw Failure(description: "\(path) cannot be started")
        }
        return process
    }

    /// Ends a process, and waits until it has ended.
    static func end(_ process: pid_t, by signal: Int32 = SIGKILL) {
        kill(process, signal)
        // A child can be waited for; other processes can only be polled.
        if waitpid(process, nil, 0) == process { return }
        for _ in 0..<500 where kill(process, 0) == 0 { usleep(10_000) }
    }

    private static let endings = Mutex<[@Sendable () -> Void]>([])

    /// Registers a closure to run when the test process ends.
    static func atExit(_ body: @escaping @Sendable () -> Void) {
        let isFirst = endings.withLock { endings in
            endings.append(body)
            return endings.count == 1
        }
        guard isFirst else { return }
        atexit { for body in Programs.endings.withLock({ $0 }) { body() } }
    }
}
