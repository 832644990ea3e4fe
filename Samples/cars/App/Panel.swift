import Moonlight
import Streams
import SampleTerminal

/// The program in a terminal: the screen that the route names, drawn in place.
struct Panel {
    private let screen: Screen

    /// Takes the terminal over.
    init() throws(UserFacingError) {
        do throws(SystemError) { screen = try Screen.open() } catch {
            throw UserFacingError(message: "cannot use the terminal: \(error)", exitCode: ExitCode.ioError)
        }
    }

    /// Runs until the user has enough.
    ///
    /// - Returns: The exit code.
    func run(_ actions: Actions) -> Int32 {
        let refusals = PassthroughSubject<String?, Never>()
        var subscriptions: Set<AnyCancellable> = []
        let store = Store(
            reducer: App.reducer,
            initialState: App(),
            environment: actions,
            options: LoopOptions(journal: { record in
                if case .rejected(_, let error) = record.step { refusals.send(CarsProgram.reason(error)) }
            }),
            feedback: { states in
                // A refusal is of interest until something else happens.
                states.combineLatest(refusals.merge(with: states.map { _ in nil }).removeDuplicates())
                    .sink { [screen] state, refusal in
                        screen.draw { size in Self.rows(of: state, refusal: refusal, in: size) }
                    }
                    .store(in: &subscriptions)
                let events = screen.keys.withLatestFrom(states) { ($0, $1) }.compactMap { key, state -> AppEvent? in
                    if case .ask(let event) = Command(key: key, state: state) { event } else { nil }
                }
                return [events.prepend(.load).eraseToAnyPublisher()]
            })
        defer { store.cancel() }
        let departure = screen.run { Command(key: $0, state: store.state) == .quit }
        screen.close()
        return departure.exitCode
    }

    /// What the panel shows. In a low window, what matters least gives way: the title, the keys, rows far from the focus.
    static func rows(of state: App, refusal: String?, in size: Size) -> [Row] {
        let view = state.view
        let note = refusal.map { Row($0, .alert) } ?? Row(state.notice ?? "", .accent)
        if size.rows < 7 { return view.rows.window(size.rows, around: view.focus) }
        let spelt = view.keys.map { Row($0.key, .accent) + Row(" \($0.meaning)   ") }.reduce(Row("")) { $0 + $1 }
        let keys = spelt.columns <= size.columns + 3 ? spelt : Row(view.keys.map(\.key).joined(separator: " "), .accent)
        return [Row(view.title, .bold), ""] + view.rows.window(size.rows - 5, around: view.focus) + ["", note, keys]
    }
}
