#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The terminal that shows a line of progress.
struct ProgressTerminal: Sendable {
    /// True for a terminal; otherwise nothing is shown.
    let isTerminal: Bool
    /// The time after which an exploration counts as long.
    let patience: Duration
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

/// A line on the terminal with the progress of a long exploration; not shown if standard error is not a terminal.
struct ProgressLine {
    private let start = ContinuousClock.now
    private var isShown = false
    private let terminal: ProgressTerminal

    init(on terminal: ProgressTerminal) { self.terminal = terminal }

    /// Shows the line, once the exploration counts as long.
    mutating func show(nodes: Int, depth: Int, left: Int) {
        let span = start.duration(to: .now)
        guard terminal.isTerminal, span > terminal.patience else { return }
        isShown = true
        terminal.write(
            "\r\u{1B}[Kexploring: \(nodes) nodes, depth \(depth), \(left) to be tried, \(span.components.seconds) s")
    }

    /// Removes the line.
    func end() { if isShown { terminal.write("\r\u{1B}[K") } }
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
