import Dispatch
import Streams
import Synchronization
import SampleTerminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The program without a terminal: commands come line by line, and a line goes out for each step.
final class Pipe: UserInterface {
    let step = 25
    private let readsInput: Bool
    private let output = Output(descriptor: STDOUT_FILENO)
    private let errors = Output(descriptor: STDERR_FILENO)
    private let commands = PassthroughSubject<DownloadsEvent, Never>()
    private let isOver = DispatchSemaphore(value: 0)
    private let hasComplaints = Atomic(false)

    init(readsInput: Bool) { self.readsInput = readsInput }

    func bind(
        states: AnyPublisher<Downloads, Never>, journal: AnyPublisher<[String], Never>
    ) -> AnyPublisher<DownloadsEvent, Never> { commands.eraseToAnyPublisher() }

    func report(_ report: Report) {
        switch report {
        case .file(let name, .begun): output.write(["\(name): begun"])
        case .file(let name, .percent(let percent)): output.write(["\(name): \(percent) %"])
        case .file(let name, .completed(let bytes)): output.write(["\(name): done, \(Table.size(bytes))"])
        case .file(let name, .failed(let error)): note("\(name): \(error)")
        case .over: isOver.signal()
        }
        // Who reads the lines no more does not want the rest, either.
        if output.failure != nil { isOver.signal() }
    }

    func note(_ line: String) { errors.write(["download: \(line)"]) }

    func prepare(tidyUp: @escaping @Sendable () -> Void) {
        do throws(SystemError) {
            try Interruption.prepare { [errors, output] in
                tidyUp()
                for output in [output, errors] { output.flush() }
            }
        } catch {
            note("cannot wait for signals: \(error)")
        }
    }

    func run() -> Int32 {
        var code = ExitCode.success
        if readsInput {
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

    func close(_ state: Downloads) -> Int32 {
        errors.flush()
        return output.finish(of: "download")
    }
}
