import Dispatch
import MoonPresentation
import Moonlight
import SampleSupport
import Streams
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The program without a terminal: commands come line by line, and a line goes out for each step.
final class Pipe: Sendable {
    private let options: Options
    private let output = OutputLines()
    private let errors = OutputLines(descriptor: STDERR_FILENO)
    private let commands = PassthroughSubject<DownloadsEvent, Never>()
    private let isOver = DispatchSemaphore(value: 0)
    private let hasComplaints = Atomic(false)
    private let chronicle: Chronicle
    private let running = Running()
    private let recorded: RecordedRun<Downloads, DownloadsEvent, DownloadsEffect>

    init(_ options: Options, _ recorded: RecordedRun<Downloads, DownloadsEvent, DownloadsEffect>) {
        self.options = options
        self.recorded = recorded
        chronicle = Chronicle(isWhole: options.showsJournal)
    }

    /// Runs until all is over.
    ///
    /// - Returns: The exit code.
    func run(_ state: Downloads) -> Int32 {
        // First, for downloads begin with the store: a signal must not find their parts unattended.
        let signals = Signals(SIGINT, SIGTERM, SIGHUP).publisher.first().sink { [self] signal in
            running.end()
            _ = recorded.finish(of: "download")
            for output in [output, errors] { output.flush() }
            Signals.endProcess(by: signal)
        }
        defer { signals.cancel() }
        let begun = running.begin { work in
            Store(
                reducer: Downloads.reducer,
                initialState: state,
                environment: recorded.environment(
                    DownloadsEnvironment(
                        report: report, item: .live(folder: options.folder, step: 25, speed: options.speed, work: work))),
                options: recorded.options { [self] in if let line = chronicle.line($0) { note(line) } },
                feedback: { states in [commands.eraseToAnyPublisher(), Rule.events(of: Downloads.rules, from: states)] })
        }
        // Else the program has been told to end before it had begun, and is about to.
        guard let store = begun else { return 1 }
        let code = readCommands()
        running.end()
        errors.flush()
        let outputCode = output.finish(of: "download")
        if code != ExitCode.success { return code }
        if outputCode != ExitCode.success { return outputCode }
        return store.state.isComplete && !chronicle.hasRefusals ? ExitCode.success : 1
    }

    private func report(_ report: Report) {
        switch report {
        case .file(let name, .begun): output.write(["\(name): begun"])
        case .file(let name, .percent(let percent)): output.write(["\(name): \(percent) %"])
        case .file(let name, .completed(let bytes)): output.write(["\(name): done, \(DownloadsView.size(bytes))"])
        case .file(let name, .failed(let error)): note("\(name): \(error)")
        case .over: isOver.signal()
        }
        // Who reads the lines no more does not want the rest, either.
        if output.failure != nil { isOver.signal() }
    }

    private func note(_ line: String) { errors.write(["download: \(line)"]) }

    private func readCommands() -> Int32 {
        var code = ExitCode.success
        if options.readsInput {
            if isatty(STDIN_FILENO) == 1 { note("type sources, a line each; Ctrl-D ends") }
            code = CommandLines.read(for: "download", take)
            commands.send(.close)
        }
        if code == ExitCode.success { isOver.wait() }
        return code == ExitCode.success && hasComplaints.load(ordering: .relaxed) ? 1 : code
    }

    private func take(_ line: String) -> CommandLines.Verdict {
        if output.failure != nil { return .stop }
        if line.hasPrefix("#") { return .goOn }
        do throws(Source.Fault) {
            switch try Command(line: line) {
            case .ask(let event): commands.send(event)
            case .quit: return .stop
            }
            return .goOn
        } catch {
            hasComplaints.store(true, ordering: .relaxed)
            return .wrong(error.reason)
        }
    }
}
