import Dispatch
import Moonlight
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

/// What shows the state and asks for things: a panel, or a pipe.
protocol UserInterface: Sendable {
    /// After how many percent a download is to tell of its progress.
    var step: Int { get }

    /// From the states, and the lines of the journal, to what the user asks for.
    func bind(
        states: AnyPublisher<Downloads, Never>, journal: AnyPublisher<[String], Never>
    ) -> AnyPublisher<DownloadsEvent, Never>

    /// Tells the user something.
    func report(_ report: Report)

    /// Tells the user a line of the journal.
    func note(_ line: String)

    /// Called before anything is begun.
    ///
    /// - Parameter tidyUp: To be called before the program ends in another way than by returning from ``run()``.
    func prepare(tidyUp: @escaping @Sendable () -> Void)

    /// Runs until all is over, or the user has enough.
    ///
    /// - Returns: The exit code.
    func run() -> Int32

    /// Says at the end how it all came out.
    func close(_ state: Downloads) -> Int32
}

private typealias DownloadsStore = Store<Downloads, DownloadsEvent>

/// Puts the program together.
enum Downloader {
    /// Runs the program.
    ///
    /// - Parameter arguments: The command line, without the name of the program.
    /// - Returns: The exit code.
    static func run(arguments: [String]) throws(UserFacingError) -> Int32 {
        switch try Options.parse(arguments) {
        case .help: return Program.print(Options.help, of: "download")
        case .run(let options):
            try requireFolder(options.folder)
            let state = try Downloads(options)
            // Who reads sources cannot read keys.
            if Screen.isPossible, !options.readsInput {
                return run(try Panel(showsJournal: options.showsJournal), state, options)
            }
            return run(Pipe(readsInput: options.readsInput), state, options)
        }
    }

    private static func run(_ face: some UserInterface, _ state: Downloads, _ options: Options) -> Int32 {
        let running = Running()
        // First, for downloads begin with the store: a signal must not find their parts unattended.
        face.prepare(tidyUp: running.end)
        let chronicle = Chronicle(isWhole: options.showsJournal, write: face.note)
        let begun = running.begin { work in
            Store(
                reducer: Downloads.reducer,
                initialState: state,
                environment: DownloadsEnvironment(
                    item: .live(folder: options.folder, step: face.step, speed: options.speed, work: work),
                    report: face.report),
                options: LoopOptions(journal: { chronicle.take($0) }),
                feedback: { states in
                    [
                        face.bind(states: states, journal: chronicle.lines.eraseToAnyPublisher()),
                        Rule.events(of: Downloads.rules, from: states),
                    ]
                })
        }
        // Else the program has been told to end before it had begun, and is about to.
        guard let store = begun else { return 1 }
        let code = face.run()
        running.end()
        let closeCode = face.close(store.state)
        if code != ExitCode.success { return code }
        if closeCode != ExitCode.success { return closeCode }
        return store.state.isComplete && !chronicle.hasRefusals ? ExitCode.success : 1
    }

    private static func requireFolder(_ path: String) throws(UserFacingError) {
        var status = stat()
        let reason: String
        if stat(path, &status) != 0 {
            reason = SystemError.last.description
        } else if status.st_mode & S_IFMT != S_IFDIR {
            reason = "it is no folder"
        } else if access(path, W_OK | X_OK) != 0 {
            reason = SystemError.last.description
        } else {
            return
        }
        throw UserFacingError(message: "cannot put files into \(path): \(reason)", exitCode: ExitCode.cannotCreate)
    }
}

/// What is to be stopped before the program ends, in whatever way, once there is something.
private final class Running: Sendable {
    private enum State { case idle, running(DownloadsStore), ended }

    private let state = Mutex(State.idle)
    private let work = DispatchGroup()

    /// Makes a store, unless all is over already.
    ///
    /// - Parameter make: Given the group of all work on files.
    func begin(_ make: (DispatchGroup) -> DownloadsStore) -> DownloadsStore? {
        // Who ends the program meanwhile waits for the store, and then cancels it.
        state.withLock { state in
            if case .ended = state { return nil }
            let store = make(work)
            state = .running(store)
            return store
        }
    }

    /// Cancels everything. Files that are not whole are on their way out when this returns.
    func end() {
        let before = state.withLock { state in
            defer { state = .ended }
            return state
        }
        if case .running(let store) = before { store.cancel() }
        _ = work.wait(timeout: .now() + .seconds(5))
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
