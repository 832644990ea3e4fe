import Streams
import SampleTerminal

/// The program in a terminal: the history and the keys, drawn in place.
final class Panel: UserInterface {
    private let screen: Screen
    private var subscriptions: Set<AnyCancellable> = []

    /// Takes the terminal over.
    init() throws(UserFacingError) {
        do throws(SystemError) {
            screen = try Screen.open()
        } catch {
            throw UserFacingError(message: "cannot use the terminal: \(error)", exitCode: ExitCode.ioError)
        }
    }

    func bind(states: AnyPublisher<HistoryState, Never>) -> AnyPublisher<HistoryEvent, Never> {
        states
            .sink { [screen] state in screen.draw { size in Self.rows(of: state, in: size) } }
            .store(in: &subscriptions)
        return screen.keys.compactMap { Command(key: $0)?.event }.eraseToAnyPublisher()
    }

    func run() -> Int32 {
        let departure = screen.run { Command(key: $0) == .quit }
        screen.close()
        return departure.exitCode
    }

    /// What the panel shows. In a low window, what matters least gives way: gaps, the title, old lines, the keys.
    static func rows(of state: HistoryState, in size: Size) -> [Row] {
        let lines = state.history.isEmpty ? [Row("Nothing yet.", .dim)] : state.history.map { Row($0) }
        let room = size.rows
        if room == 1 { return lines.suffix(1) }
        if room < lines.count + 4 { return lines.suffix(room - 1) + [keys(in: size)] }
        return [Row("History", .bold), ""] + lines + ["", keys(in: size)]
    }

    /// The keys, with what they do if there is room for it.
    private static func keys(in size: Size) -> Row {
        func key(_ key: String, _ meaning: String) -> Row { Row(key, .accent) + Row(meaning) }
        let long = key("n", " number   ") + key("t", " text   ") + key("q", " quit")
        return long.columns <= size.columns ? long : key("n", " ") + key("t", " ") + key("q", "")
    }
}
