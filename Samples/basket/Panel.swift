import Dispatch
import Moonlight
import Streams
import SampleTerminal

/// The program in a terminal: the basket, drawn in place.
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
    func run(_ environment: BasketEnvironment) -> Int32 {
        let refusals = PassthroughSubject<String?, Never>()
        var subscriptions: Set<AnyCancellable> = []
        let store = Store(
            reducer: Basket.reducer,
            initialState: Basket(),
            environment: environment,
            options: LoopOptions(journal: { record in
                if case .rejected(_, let error) = record.step { refusals.send("\(error)") }
            }),
            feedback: { states in
                // A refusal is of interest until something else happens.
                states.combineLatest(refusals.merge(with: states.map { _ in nil }).removeDuplicates())
                    .sink { [screen] state, refusal in
                        screen.draw { size in BasketView(state: state, refusal: refusal).rows(in: size) }
                    }
                    .store(in: &subscriptions)
                let events = screen.keys.withLatestFrom(states) { ($0, $1) }.compactMap { key, state -> BasketEvent? in
                    if case .ask(let event) = Command(key: key, state: state) { event } else { nil }
                }
                return [events.prepend(.loadPressed).eraseToAnyPublisher()]
            })
        defer { store.cancel() }
        let departure = screen.run { Command(key: $0, state: Basket()) == .quit }
        screen.close()
        return departure.exitCode
    }
}
