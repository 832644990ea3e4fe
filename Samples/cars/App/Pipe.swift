import Moonlight
import SampleTerminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The program without a terminal: commands come line by line, each is carried out, and then the screen is printed.
struct Pipe {
    private let output = Output(descriptor: STDOUT_FILENO)

    /// Runs until there are no more commands.
    ///
    /// - Returns: The exit code.
    func run(_ actions: Actions) -> Int32 {
        let store = Store(reducer: App.reducer, initialState: App(), environment: actions)
        defer { store.cancel() }
        _ = Program.wait { await store.send(.load) }
        if let error = store.state.data.cars.error {
            StandardStreams.complain("cars: \(error)")
            return ExitCode.noInput
        }
        show(store.state)
        return CommandLines.run(for: "cars", output) { line in
            switch Command(line: line) {
            case .quit: return .stop
            case .show: break
            case .ask(let event):
                if case .failure(.rejected(let error)) = Program.wait(for: { await store.send(event) }) {
                    return .refused(CarsProgram.reason(error))
                }
            case nil: return .refused("unknown command")
            }
            show(store.state)
            return store.state.hasFailed ? .failed : .done
        }
    }

    private func show(_ state: App) {
        let view = state.view
        let lines = [view.title] + view.rows.map(\.text) + [state.notice ?? ""]
        // An empty line ends a screen: there is none in it.
        output.write(lines.filter { !$0.isEmpty } + [""])
    }
}

extension App {
    /// Whether something could not be carried out.
    fileprivate var hasFailed: Bool { data.cars.error != nil || order?.error != nil }
}
