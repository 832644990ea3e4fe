import MoonPresentation
import Moonlight
import MoonlightDurability
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import SampleSupport
import Streams
import Testing

@testable import LedgerSample

@Suite("Ledger")
struct LedgerTests {
    @Test("No account but equity is overdrawn, whatever is posted")
    func balanced() throws {
        let postings = [
            ("equity", "cash", 3), ("cash", "rent", 2), ("rent", "cash", 1), ("cash", "cash", 1), ("cash", "rent", 0),
        ]
        let exploration = Exploration(Ledger.reducer, given: Ledger()) { _ in () }
            .events(postings.map { .post(Posting(from: $0, to: $1, amount: $2)) }, atMost: 5)
            .allowingRefusals { $0 is Rejection }
            .always("only equity is overdrawn") { state in state.balances.allSatisfy { $0.key == "equity" || $0.value >= 0 } }
        try exploration.run()
    }

    @Test("Both halves of a posting are made, and the sum is zero")
    func posting() throws {
        var state = Ledger()
        for posting in [Posting(from: "equity", to: "cash", amount: 1000), Posting(from: "cash", to: "rent", amount: 250)] {
            guard case .success(let effects) = Result(catching: { try Ledger.reducer.transform(state, .post(posting), ()) })
            else {
                Issue.record("refused")
                return
            }
            _ = effects.sink { effect in _ = try? Ledger.reducer.apply(effect, to: &state) }
        }
        expectEqual(state, Ledger(balances: ["equity": -1000, "cash": 750, "rent": 250], postings: 2))
        expectEqual(state.lines, ["cash      7.50", "equity  -10.00", "rent      2.50"])
    }

    @Test(
        "A posting that is not possible is refused, with a reason",
        arguments: [
            (Posting(from: "cash", to: "rent", amount: 1), "cash has only 0.00"),
            (Posting(from: "equity", to: "equity", amount: 1), "both accounts are equity"),
            (Posting(from: "equity", to: "cash", amount: 0), "an amount is more than nothing"),
            (Posting(from: "equity", to: "full", amount: 1), "full cannot hold so much"),
        ])
    func refusals(_ posting: Posting, _ reason: String) {
        let state = Ledger(balances: ["full": .max])
        let error = #expect(throws: Rejection.self) { try Ledger.reducer.transform(state, .post(posting), ()) }
        expectEqual(error?.reason, reason)
    }

    @Test(
        "Money is read and written with two decimals",
        arguments: [("12", 1200, "12.00"), ("12.5", 1250, "12.50"), ("0.05", 5, "0.05"), ("007.00", 700, "7.00")])
    func money(_ text: String, _ cents: Int, _ written: String) {
        expectEqual(Money(text)?.cents, cents)
        expectEqual(Money(cents: cents).description, written)
        expectEqual(Money(cents: -cents).description, "-" + written)
    }

    @Test(
        "A text that is no amount is refused",
        arguments: ["", ".", "1.", ".5", "1.234", "-1", "1,5", "١", "1234567890123456", "1.2.3"])
    func noMoney(_ text: String) { expect(Money(text) == nil) }

    @Test("Commands are read from lines")
    func commands() {
        let posting = Posting(from: "cash", to: "bank", amount: 1250)
        expectEqual(Command("post 12.50 cash bank"), .postOnce(posting))
        expectEqual(Command("  post  k1 12.50 cash bank "), .post(posting, key: "k1"))
        expectEqual(Command("balance"), .balance)
        expectEqual(Command("quit"), .quit)
        for line in ["", "post", "post x cash bank", "post k x cash bank", "balance now", "quit!", "spend"] {
            expect(Command(line) == nil)
        }
    }

    @Test("The command line names a folder, and when postings are answered")
    func options() throws {
        try expectEqual(Options.parse(["book"]), .run(Options(folder: "book", acknowledge: .afterSync)))
        try expectEqual(Options.parse(["--after-write", "book"]), .run(Options(folder: "book", acknowledge: .afterWrite)))
        try expectEqual(
            Options.parse(["book", "--later", "50"]), .run(Options(folder: "book", acknowledge: .later(every: .milliseconds(50))))
        )
        try expectEqual(Options.parse(["--help"]), .help)
        for wrong in [[], ["a", "b"], ["--later", "0", "a"], ["--now", "a"]] {
            #expect(throws: UserFacingError.self) { try Options.parse(wrong) }
        }
    }

    private func rows(_ desk: Desk, rows: Int) -> [String] {
        var presentation = Presentation<DeskEvent>()
        let size = Size(columns: 44, rows: rows)
        return presentation.frame(size) { $0.add(desk.view(in: size)) }.rows
    }

    @Test("The desk shows the accounts, an input line and the answer, and hides accounts in a low window")
    func view() {
        let book = Ledger(balances: ["cash": 100, "equity": -100], postings: 1)
        let desk = Desk(book: book, line: "post 1", note: "ok -")
        let (accounts, line) = (["  cash     1.00", "  equity  -1.00"], ["> post 1", "ok -"])
        let keys = "post [KEY] AMOUNT FROM TO   quit"
        expectEqual(rows(desk, rows: 7), ["Ledger, 1 postings"] + accounts + [""] + line + [keys])
        expectEqual(rows(desk, rows: 6), ["Ledger, 1 postings", accounts[1], ""] + line + [keys])
        expectEqual(rows(desk, rows: 2), line)
        expectEqual(rows(desk, rows: 1), [line[0]])
    }

    private func pilot(_ answer: String = "ok", book: Ledger = Ledger()) throws -> Pilot<Desk, DeskEvent> {
        let environment = DeskEnvironment(
            book: { Just(book).eraseToAnyPublisher() }, post: { _, key in "\(answer) \(key ?? "-")" })
        return try Desk.program(Desk(), environment).pilot()
    }

    @Test("The desk shows the book as it changes")
    func changes() throws {
        let book = Ledger(balances: ["cash": 100, "equity": -100], postings: 1)
        try expectEqual(pilot(book: book).state.book, book)
    }

    @Test("A typed command is carried out at Enter, and an unknown one is reported")
    func typing() async throws {
        let pilot = try pilot()
        pilot.type("post k1 12.5 equity cash")
        pilot.press(.enter)
        expect(pilot.state.line.isEmpty)
        for await state in pilot.store.states.values where state.note == "ok k1" { break }
        pilot.type("what")
        pilot.press(.backspace, .enter)
        expectEqual(pilot.state.note, "unknown command: wha")
        pilot.press(.up)
        expectEqual(pilot.state.line.text, "wha")
        pilot.press(.control("u"), .enter)
        expectEqual(pilot.state.note, "")
        expect(pilot.ending == nil)
        pilot.type("quit")
        pilot.press(.enter)
        expectEqual(pilot.ending, .finished)
    }

    @Test("The desk shows the book again when it changes")
    func changed() throws {
        let pilot = try pilot()
        pilot.send(.changed(Ledger(balances: ["cash": 100, "equity": -100], postings: 1)))
        expectEqual(pilot.frame.rows.prefix(2), ["Ledger, 1 postings", "  cash     1.00"])
    }

    @Test("The picture of the ledger in the documentation is the frame of the terminal")
    func picture() throws {
        let balances = ["cash": 7000, "equity": -10_000, "rent": 3000]
        let desk = Desk(
            book: Ledger(balances: balances, postings: 2), line: "post 90 cash rent", note: "refused k3: cash has only 70.00")
        var presentation = Presentation<DeskEvent>()
        let size = Size(columns: 48, rows: 8)
        let frame = presentation.frame(size) { $0.add(desk.view(in: size)) }
        try frame.compare(to: "ledger")
        try frame.compareSVG(
            at: "../../Documentation/Samples/ledger.svg",
            title: "The accounts, a posting that is being typed, and why the last one was refused")
    }
}
