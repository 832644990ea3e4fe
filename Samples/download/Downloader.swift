import Dispatch
import Moonlight
import Streams
import Terminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What shows the state and asks for things: a panel, or a pipe.
protocol Face: Sendable {
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

    /// Runs until all is over, or the user has enough.
    ///
    /// - Parameter tidyUp: To be called before the program ends in another way.
    /// - Returns: The exit code.
    func run(tidyUp: @escaping @Sendable () -> Void) -> Int32

    /// Says at the end how it all came out.
    func close(_ state: Downloads) -> Int32
}

/// Puts the program together.
enum Downloader {
    /// Runs the program.
    ///
    /// - Parameter arguments: The command line, without the name of the program.
    /// - Returns: The exit code.
    static func run(arguments: [String]) throws(Complaint) -> Int32 {
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

    private static func run(_ face: some Face, _ state: Downloads, _ options: Options) -> Int32 {
        let work = DispatchGroup()
        let chronicle = Chronicle(isWhole: options.showsJournal, write: face.note)
        let store = Store(
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
        let tidyUp: @Sendable () -> Void = {
            store.cancel()
            // Files that are not whole are on their way out.
            _ = work.wait(timeout: .now() + .seconds(5))
        }
        let code = face.run(tidyUp: tidyUp)
        tidyUp()
        let closeCode = face.close(store.state)
        if code != ExitCode.success { return code }
        if closeCode != ExitCode.success { return closeCode }
        return store.state.isComplete && !chronicle.hasRefusals ? ExitCode.success : 1
    }

    private static func requireFolder(_ path: String) throws(Complaint) {
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
        throw Complaint(message: "cannot put files into \(path): \(reason)", exitCode: ExitCode.cannotCreate)
    }
}

extension Downloads {
    /// The list that the command line asks for.
    fileprivate init(_ options: Options) throws(Complaint) {
        (limit, isOpen) = (options.limit, options.readsInput)
        for source in options.sources {
            do throws(Source.Fault) {
                let item = Item(id: try source.name(), source: source)
                if !files.append(item) { throw Source.Fault(reason: "a file of that name is asked for twice") }
            } catch {
                throw Complaint(message: "\(source): \(error.reason)", exitCode: ExitCode.usage)
            }
        }
        selected = files.first?.id
    }
}
