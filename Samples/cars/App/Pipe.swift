import Moonlight
import Terminal

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
        var hasFailed = false
        let inputCode = CommandLines.read(for: "cars") { line in
            if output.failure != nil { return .stop }
            switch Command(line: line) {
            case .quit: return .stop
            case .show: show(store.state)
            case .ask(let event):
                if case .failure(.rejected(let error)) = Program.wait(for: { await store.send(event) }) {
                    hasFailed = true
                    return .wrong(CarsProgram.reason(error))
                }
                hasFailed = hasFailed || store.state.hasFailed
                show(store.state)
            case nil:
                hasFailed = true
                return .wrong("unknown command")
            }
            return .goOn
        }
        let outputCode = output.finish(of: "cars")
        if inputCode != ExitCode.success { return inputCode }
        if outputCode != ExitCode.success { return outputCode }
        return hasFailed ? 1 : ExitCode.success
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
