import MoonPresentation
import Moonlight
import SampleSupport

/// The program without a terminal: commands come line by line, each is carried out, and then the screen is printed.
struct Pipe {
    private let output = OutputLines()

    /// Runs until there are no more commands.
    ///
    /// - Returns: The exit code.
    func run(_ environment: BasketEnvironment, _ options: LoopOptions<Basket, BasketEvent, BasketEffect>) -> Int32 {
        let store = Store(reducer: Basket.reducer, initialState: Basket(), environment: environment, options: options)
        defer { store.cancel() }
        _ = Sample.wait { await store.send(.loadPressed) }
        if let error = store.state.items.error {
            StandardStreams.complain("basket: \(error)")
            return ExitCode.noInput
        }
        show(store.state)
        return CommandLines.run(for: "basket", output) { line in
            switch Command(line: line) {
            case .quit: return .stop
            case .list: break
            case .ask(let event):
                if case .failure(.rejected(let error)) = Sample.wait(for: { await store.send(event) }) {
                    return .refused("\(error)")
                }
            case nil: return .refused("unknown command")
            }
            show(store.state)
            return store.state.hasFailed ? .failed : .done
        }
    }

    private func show(_ state: Basket) { output.write(BasketText(state: state).lines + [""]) }
}

extension Basket {
    /// Whether the last thing asked for could not be carried out.
    fileprivate var hasFailed: Bool {
        switch note {
        case .connectionFailed, .deleteFailed, .buyFailed: true
        case .bought, nil: items.error != nil
        }
    }
}
