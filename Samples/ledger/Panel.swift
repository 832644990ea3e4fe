import Moonlight
import MoonlightDurability
import SampleTerminal
import Streams

/// The program in a terminal: the accounts, a line to type in, and what has become of the last command.
final class Panel: Sendable {
    private let book: Book
    private let screen: Screen
    private let input = CurrentValueSubject<String, Never>("")
    private let note = CurrentValueSubject<String, Never>("")
    private let departure = CurrentValueSubject<Bool, Never>(false)

    /// Takes the terminal over.
    init(_ book: Book) throws(UserFacingError) {
        self.book = book
        do throws(SystemError) { screen = try Screen.open() } catch {
            throw UserFacingError(message: "cannot use the terminal: \(error)", exitCode: ExitCode.ioError)
        }
    }

    func run() -> Int32 {
        let drawing = book.states.combineLatest(input, note).sink { [screen] state, input, note in
            screen.draw { size in Self.rows(of: state, input: input, note: note, in: size) }
        }
        let typing = screen.keys.sink { [self] key in type(key) }
        let departure = screen.run { [self] key in
            key == .control("c") || key == .control("d") || key == .enter && Command(input.value) == .quit
        }
        drawing.cancel()
        typing.cancel()
        screen.close()
        return departure.exitCode
    }

    private func type(_ key: Key) {
        switch key {
        case .character(let character): input.send(input.value + String(character))
        case .backspace: input.send(String(input.value.dropLast()))
        case .escape, .control("u"): input.send("")
        case .enter: carryOut()
        default: break
        }
    }

    private func carryOut() {
        let line = input.value
        input.send("")
        switch Command(line) {
        case .post(let posting, let key): post(posting, key)
        case .postOnce(let posting): post(posting, nil)
        case .balance, .quit: note.send("")
        case nil: note.send(line.isEmpty ? "" : "unknown command: \(line)")
        }
    }

    private func post(_ posting: Posting, _ key: String?) {
        note.send("…")
        Task { note.send(answer(key ?? "-", await book.carryOut(posting, key: key))) }
    }

    /// What the panel shows. In a low window, the first accounts give way.
    static func rows(of state: Ledger, input: String, note: String, in size: Size) -> [Row] {
        let prompt = Row("> ", .accent) + Row(input)
        let isBad = note.hasPrefix("refused") || note.hasPrefix("failed") || note.hasPrefix("unknown")
        let answer = isBad ? Row(note, .alert) : Row(note, .dim)
        switch size.rows {
        case 1: return [prompt]
        case 2...4: return [prompt, answer]
        default:
            let accounts = state.lines.suffix(size.rows - 5).map { Row("  " + $0) }
            return [Row("Ledger, \(state.postings) postings", .bold)] + accounts
                + ["", prompt, answer, Row("post [KEY] AMOUNT FROM TO   quit", .dim)]
        }
    }
}
