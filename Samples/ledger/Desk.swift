import MoonPresentation
import Moonlight
import SampleSupport
import Streams

/// The book as somebody sits in front of it: the accounts, a line to type in, and what has become of the last command.
struct Desk: Equatable, Sendable {
    var book = Ledger()
    var line = TextInput()
    var note = ""
    /// Whether the user has said that it is enough.
    var isLeft = false
}

enum DeskEvent: Hashable, Sendable {
    case edit(TextEdit)
    /// Carries out what was typed.
    case submit
    /// The book has changed.
    case changed(Ledger)
}

enum DeskEffect: Hashable, Sendable {
    case edited(TextEdit)
    case submitted
    case noted(String)
    case changed(Ledger)
    case left
}

/// What the desk needs of the world.
struct DeskEnvironment: Sendable {
    /// The book at each of its changes, that of this moment first.
    var book: @Sendable () -> AnyPublisher<Ledger, Never>
    /// Carries out a posting, with its key if it has one, and answers when it is safe.
    var post: @Sendable (Posting, String?) async -> String
}

extension Desk {
    static let reducer = Reducer<Desk, DeskEvent, DeskEffect, DeskEnvironment>(
        transform: { state, event, environment in
            switch event {
            case .edit(let edit): return Just(.edited(edit)).eraseToAnyPublisher()
            case .changed(let book): return Just(.changed(book)).eraseToAnyPublisher()
            case .submit: return carryOut(state.line.text, environment).prepend(.submitted).eraseToAnyPublisher()
            }
        },
        apply: { (state: inout Desk, effect: DeskEffect) in
            switch effect {
            case .edited(let edit): state.line.apply(edit)
            case .submitted: _ = state.line.submit()
            case .noted(let note): state.note = note
            case .changed(let book): state.book = book
            case .left: state.isLeft = true
            }
        })

    private static func carryOut(_ line: String, _ environment: DeskEnvironment) -> AnyPublisher<DeskEffect, Never> {
        switch Command(line) {
        case .post(let posting, let key): post(posting, key, environment)
        case .postOnce(let posting): post(posting, nil, environment)
        case .balance: Just(.noted("")).eraseToAnyPublisher()
        case .quit: Just(.left).eraseToAnyPublisher()
        case nil: Just(.noted(line.isEmpty ? "" : "unknown command: \(line)")).eraseToAnyPublisher()
        }
    }

    private static func post(
        _ posting: Posting, _ key: String?, _ environment: DeskEnvironment
    ) -> AnyPublisher<DeskEffect, Never> {
        AnyPublisher.run { send in send(.noted(await environment.post(posting, key))) }
            .prepend(.noted("…"))
            .eraseToAnyPublisher()
    }
}

extension Desk {
    /// What is shown in a terminal. In a low window, the first accounts give way.
    func view(in size: Size) -> Rows<DeskEvent> {
        let isBad = ["refused", "failed", "unknown"].contains { note.hasPrefix($0) }
        return Rows {
            if size.rows > 4 {
                Text("Ledger, \(book.postings) postings", style: .bold)
                for line in book.lines.suffix(size.rows - 5) { Text("  " + line, wraps: false) }
                Text("")
            }
            Field(line, prompt: ">", history: true, edit: DeskEvent.edit, submit: .submit)
            Text(note, style: isBad ? .alert : .dim, wraps: false)
            if size.rows > 4 { Text("post [KEY] AMOUNT FROM TO   quit", style: .dim, wraps: false) }
        }
    }

    /// The program in a terminal.
    static func program(_ book: Book) -> Program<Desk, DeskEvent, DeskEffect, DeskEnvironment> {
        program(
            Desk(book: book.state),
            DeskEnvironment(
                book: { book.states },
                post: { posting, key in answer(key ?? "-", await book.carryOut(posting, key: key)) }))
    }

    /// The program in any environment.
    static func program(_ desk: Desk, _ environment: DeskEnvironment) -> Program<Desk, DeskEvent, DeskEffect, DeskEnvironment> {
        Program(reducer, initialState: desk, environment: environment) { state, screen in
            screen.add(state.view(in: screen.size))
        }
        .keys([], quit: [.control("d")])
        .ends(when: \.isLeft)
        .feedback { _, environment in [environment.book().map(DeskEvent.changed).eraseToAnyPublisher()] }
    }
}
