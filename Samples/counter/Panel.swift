import SampleLoopback
import Moonlight
import Streams
import SampleTerminal

/// The program in a terminal: the count and the keys, drawn in place.
final class Panel: UserInterface, @unchecked Sendable {
    // Sound: the subscriptions are changed once, before the loop runs.
    private let screen: Screen
    private let url: LoopbackURL
    private let notes = CurrentValueSubject<String?, Never>(nil)
    private var subscriptions: Set<AnyCancellable> = []

    /// Takes the terminal over.
    init(url: LoopbackURL) throws(UserFacingError) {
        self.url = url
        do throws(SystemError) { screen = try Screen.open() } catch {
            throw UserFacingError(message: "cannot use the terminal: \(error)", exitCode: ExitCode.ioError)
        }
    }

    func bind(states: AnyPublisher<Counter, Never>) -> AnyPublisher<CounterEvent, Never> {
        // What was refused is of no interest any more when something else has happened.
        let notes = notes.merge(with: states.map { _ in nil }).removeDuplicates()
        states.combineLatest(notes)
            .sink { [screen, url] state, note in
                screen.draw { size in Self.rows(of: state, note: note, url: url, in: size) }
            }
            .store(in: &subscriptions)
        return screen.keys.compactMap { Command(key: $0)?.event }.eraseToAnyPublisher()
    }

    func refuse(_ event: CounterEvent, _ error: any Error) { notes.send("\(error)") }

    func run() -> Int32 {
        let departure = screen.run { Command(key: $0) == .quit }
        screen.close()
        return departure.exitCode
    }

    /// What the panel shows. In a low window, what matters least gives way.
    static func rows(of state: Counter, note: String?, url: LoopbackURL, in size: Size) -> [Row] {
        let isKnown = state.confirmed != nil
        let count = Row(isKnown ? "\(state.count)" : "?", .bold) + Row(state.isBusy ? "  asking…" : "", .dim)
        let problem = (state.problem?.description ?? note).map { Row($0, .alert) }
        let service = Row("\(url)\(state.isServiceUp == false ? "  (stopped)" : "")", .dim)
        let keys = keys(of: state, in: size)
        switch size.rows {
        case 1: return [count]
        case 2...3: return [count, keys]
        case 4...7: return [count, problem ?? "", service, keys]
        default: return [Row("Counter", .bold), "", "  " + count, problem.map { "  " + $0 } ?? "", service, "", keys]
        }
    }

    private static func keys(of state: Counter, in size: Size) -> Row {
        func key(_ key: String, _ meaning: String) -> Row { Row(key, .accent) + Row(meaning) }
        let service = state.isServiceUp.map { key("s", $0 ? " stop service   " : " start service   ") } ?? ""
        let long = key("+", " plus   ") + key("-", " minus   ") + key("r", " refresh   ") + service + key("q", " quit")
        return long.columns <= size.columns ? long : Row(state.isServiceUp == nil ? "+ - r q" : "+ - r s q", .accent)
    }
}
