#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The output that shows the progress of explorations.
struct ProgressTerminal: Sendable {
    /// True for a terminal, which shows a line that is rewritten several times a second.
    let isTerminal: Bool
    /// The time after which that line is shown.
    let patience: Duration
    /// The time after which the first report is written, to any output.
    var firstReport = Duration.seconds(10)
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    let write: @Sendable (String) -> Void

    /// The standard error of the process.
    static var standardError: ProgressTerminal {
        ProgressTerminal(isTerminal: isatty(2) == 1, patience: .seconds(1)) { text in
            var text = text
            text.withUTF8 { bytes in
                #if canImport(Glibc)
                    _ = Glibc.write(2, bytes.baseAddress, bytes.count)
                #elseif canImport(Musl)
                    _ = Musl.write(2, bytes.baseAddress, bytes.count)
                #else
                    _ = Darwin.write(2, bytes.baseAddress, bytes.count)
                #endif
            }
        }
    }
}

/// The progress of a long exploration: a line that a terminal shows until the end, and reports, which any output keeps.
struct ProgressLine {
    private let start: ContinuousClock.Instant
    private var reports: ProgressReports
    private var isShown = false
    /// The time after which the line is written again.
    private var due: Duration
    private let terminal: ProgressTerminal

    /// - Parameters:
    ///   - name: The name of the state in reports.
    ///   - terminal: The output.
    init(of name: String, on terminal: ProgressTerminal) {
        start = terminal.now()
        reports = ProgressReports(of: name, first: terminal.firstReport)
        due = terminal.patience
        self.terminal = terminal
    }

    /// Shows the line, and writes a report, if they are due.
    mutating func show(_ counts: SearchCounts) {
        let span = start.duration(to: terminal.now())
        if let report = reports.report(of: counts, after: span) {
            end()
            terminal.write(report + "\n")
        }
        guard terminal.isTerminal, span > due else { return }
        due = span + .milliseconds(250)
        isShown = true
        terminal.write(
            """
            \r\u{1B}[Kexploring: \(counts.nodes) nodes, depth \(counts.depth), \(counts.left) to be tried, \
            \(span.components.seconds) s
            """)
    }

    /// Removes the line.
    mutating func end() {
        if isShown { terminal.write("\r\u{1B}[K") }
        isShown = false
    }
}

/// The memory of the process.
enum ResidentMemory {
    /// The resident bytes of the process; 0 if unknown.
    static var now: Int {
        #if os(Linux)
            guard let file = fopen("/proc/self/statm", "r") else { return 0 }
            defer { fclose(file) }
            var text = [CChar](repeating: 0, count: 128)
            guard fgets(&text, Int32(text.count), file) != nil else { return 0 }
            let words = text.prefix { $0 != 0 }.split(separator: 0x20)
            guard words.count > 1 else { return 0 }
            let pages = words[1].reduce(0) { $0 * 10 + Int($1) - 0x30 }
            return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        #else
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #endif
    }
}
