import Dispatch
import Streams
import SampleTerminal

/// The program in a terminal: a table, drawn in place.
final class Panel: UserInterface, @unchecked Sendable {
    // Sound: the subscriptions are changed once, before the loop runs.
    let step = 1
    private let screen: Screen
    private let showsJournal: Bool
    private var subscriptions: Set<AnyCancellable> = []

    /// Takes the terminal over.
    init(showsJournal: Bool) throws(UserFacingError) {
        self.showsJournal = showsJournal
        do throws(SystemError) { screen = try Screen.open() } catch {
            throw UserFacingError(message: "cannot use the terminal: \(error)", exitCode: ExitCode.ioError)
        }
    }

    func bind(
        states: AnyPublisher<Downloads, Never>, journal: AnyPublisher<[String], Never>
    ) -> AnyPublisher<DownloadsEvent, Never> {
        let lines = showsJournal ? 8 : 1
        states.combineLatest(journal)
            .frames(every: .milliseconds(40), on: DispatchQueue(label: "download.frames"))
            .sink { [screen] state, journal in
                let table = Table(state: state, notes: journal.suffix(lines))
                screen.draw { size in table.rows(in: size) }
            }
            .store(in: &subscriptions)
        return screen.keys.withLatestFrom(states) { ($0, $1) }
            .compactMap { key, state -> DownloadsEvent? in
                if case .ask(let event) = Command(key: key, selected: state.selected) { event } else { nil }
            }
            .eraseToAnyPublisher()
    }

    /// When all files are there, there is nothing more to see.
    func report(_ report: Report) { if report == .over(isComplete: true) { screen.stop() } }

    func note(_ line: String) {}

    /// The screen has caught the signals since it was opened.
    func prepare(tidyUp: @escaping @Sendable () -> Void) {}

    func run() -> Int32 { screen.run { Command(key: $0, selected: nil) == .quit }.exitCode }

    func close(_ state: Downloads) -> Int32 {
        subscriptions = []
        screen.close()
        return Program.print(Table(state: state, notes: []).summary.joined(separator: "\n"), of: "download")
    }
}
