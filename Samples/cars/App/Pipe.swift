import MoonPresentation
import Moonlight
import SampleSupport

/// The program without a terminal: commands come line by line, each is carried out, and then the screen is printed.
struct Pipe {
    private let output = OutputLines()

    /// Runs until there are no more commands.
    ///
    /// - Returns: The exit code.
    func run(_ actions: Actions, _ options: LoopOptions<App, AppEvent, AppEffect>) -> Int32 {
        let store = Store(reducer: App.reducer, initialState: App(), environment: actions, options: options)
        defer { store.cancel() }
        _ = Sample.wait { await store.send(.load) }
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
                if case .failure(.rejected(let error)) = Sample.wait(for: { await store.send(event) }) {
                    return .refused(CarsProgram.reason(error))
                }
            case nil: return .refused("unknown command")
            }
            show(store.state)
            return store.state.hasFailed ? .failed : .done
        }
    }

    private func show(_ state: App) {
        let screen = state.screen
        let lines = [screen.title] + screen.rows.map(\.string) + [state.notice ?? ""]
        // An empty line ends a screen: there is none in it.
        output.write(lines.filter { !$0.isEmpty } + [""])
    }
}

extension App {
    /// Whether something could not be carried out.
    fileprivate var hasFailed: Bool { data.cars.error != nil || order?.error != nil }
}
