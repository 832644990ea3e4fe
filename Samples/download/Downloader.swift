import Dispatch
import MoonPresentation
import Moonlight
import SampleSupport
import Streams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Puts the program together.
enum Downloader {
    /// Runs the program.
    ///
    /// - Parameter arguments: The command line, without the name of the program.
    /// - Returns: The exit code.
    static func run(arguments: [String]) throws(UserFacingError) -> Int32 {
        switch try Options.parse(arguments) {
        case .help: return Sample.print(Options.help, of: "download")
        case .run(let options):
            try requireFolder(options.folder)
            let state = try Downloads(options)
            // Who reads sources cannot read keys.
            let run = try RecordedRun(in: options.record)
            return try run.run("download", catchesSignals: false) { () throws(UserFacingError) in
                Sample.hasTerminal && !options.readsInput ? try show(state, options, run) : Pipe(options, run).run(state)
            }
        }
    }

    /// Runs it in a terminal, until all files are there or the user has enough, and then says how it all came out.
    private static func show(
        _ state: Downloads, _ options: Options, _ run: RecordedRun<Downloads, DownloadsEvent, DownloadsEffect>
    ) throws(UserFacingError) -> Int32 {
        let (chronicle, work) = (Chronicle(isWhole: options.showsJournal), DispatchGroup())
        let last = CurrentValueSubject<Downloads, Never>(state)
        var subscriptions: Set<AnyCancellable> = []
        let environment = run.environment(
            DownloadsEnvironment(
                report: { _ in }, item: .live(folder: options.folder, step: 1, speed: options.speed, work: work)))
        let program = Program(
            Downloads.reducer, initialState: state, environment: environment, options: run.options()
        ) { state, screen in
            screen.add(DownloadsView(state: state).body(in: screen.size, notes: screen.notes))
        }
        .keys(in: { DownloadsView(state: $0).keys })
        .notes(keeping: options.showsJournal ? 8 : 1, untilChange: false, chronicle.line)
        .ends(when: { $0.isOver && $0.isComplete })
        .feedback { states, _ in
            states.sink { last.send($0) }.store(in: &subscriptions)
            return [Rule.events(of: Downloads.rules, from: states)]
        }
        let code = try Sample.show(program)
        // Files that are not whole are on their way out.
        _ = work.wait(timeout: .now() + .seconds(5))
        let printCode = Sample.print(DownloadsView(state: last.value).summary.joined(separator: "\n"), of: "download")
        if code != ExitCode.success { return code }
        if printCode != ExitCode.success { return printCode }
        return last.value.isComplete && !chronicle.hasRefusals ? ExitCode.success : 1
    }

    private static func requireFolder(_ path: String) throws(UserFacingError) {
        var status = stat()
        let reason: String
        if stat(path, &status) != 0 {
            reason = SystemError.last("use \(path)").reason
        } else if status.st_mode & S_IFMT != S_IFDIR {
            reason = "it is no folder"
        } else if access(path, W_OK | X_OK) != 0 {
            reason = SystemError.last("use \(path)").reason
        } else {
            return
        }
        throw UserFacingError(message: "cannot put files into \(path): \(reason)", exitCode: ExitCode.cannotCreate)
    }
}

extension Downloads {
    /// The list that the command line asks for.
    fileprivate init(_ options: Options) throws(UserFacingError) {
        (limit, isOpen) = (options.limit, options.readsInput)
        for source in options.sources {
            do throws(Source.Fault) {
                let item = Item(id: try source.name(), source: source)
                if !files.append(item) { throw Source.Fault(reason: "a file of that name is asked for twice") }
            } catch {
                throw UserFacingError(message: "\(source): \(error.reason)", exitCode: ExitCode.usage)
            }
        }
        selected = files.first?.id
    }
}
