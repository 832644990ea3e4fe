import MoonFoundation
import Moonlight
import SampleTerminal
import Testing

@testable import BasketSample

@Suite("How the basket is shown, and what can be said to it")
struct BasketViewTests {
    private static let state = Basket(items: .loaded(IdentifiedList(Cart.starter.items)), selected: 2)

    private func texts(_ state: Basket = state, columns: Int = 80, rows: Int = 24) -> [String] {
        BasketView(state: state).rows(in: Size(columns: columns, rows: rows)).map(\.text)
    }

    @Test("The panel shows the items, what is to be paid, and the keys")
    func panel() {
        let rows = texts()
        #expect(rows[0] == "Basket")
        #expect(rows[2] == "  [x] Map of the moon                      1 × 12.50      12.50")
        #expect(rows[3].hasPrefix("> [ ] Telescope"))
        #expect(rows[5].columns == rows[2].columns)
        #expect(rows.suffix(2).first == "2 to buy: 36.20")
        #expect(rows.last?.hasPrefix("↑↓ select  +- amount") == true)
        #expect(rows.last?.hasSuffix("q quit") == true)
    }

    @Test("A question, the details and an order on its way take their place")
    func modes() {
        var state = Self.state
        state.pendingDelete = 3
        #expect(texts(state).contains("Delete Warm socks? y yes   n no"))
        #expect(texts(state, rows: 3).last == "Delete Warm socks? y yes   n no")
        state.details = Cart.starter.items[2]
        #expect(texts(state) == ["Warm socks", "", "For clear nights.", "", "3 × 7.90 = 23.70", "", "Esc back"])
        #expect(texts(Basket(isBuying: true)) == ["Buying…"])
        #expect(texts(Basket(items: .failed(.store("no such luck")))).contains("no such luck"))
        #expect(texts(Basket()).contains("Loading…"))
    }

    @Test("However low the window, the selected item is in it", arguments: 1...12)
    func low(rows: Int) {
        var state = Self.state
        state.selected = 4
        let shown = texts(state, rows: rows)
        #expect(shown.contains { $0.hasPrefix("> [ ] 月の本") })
        #expect(shown.count <= max(rows, 2))
    }

    @Test("In a pipe it is lines with ids")
    func lines() {
        var state = Self.state
        #expect(BasketView(state: state).lines.first == "1  [x] Map of the moon  1 × 12.50")
        #expect(BasketView(state: state).lines.last == "2 to buy: 36.20")
        state.note = .bought(Order(number: 7, items: [Cart.starter.items[0]]))
        #expect(BasketView(state: state).lines.suffix(2) == ["Bought: order 7, 12.50", "2 to buy: 36.20"])
    }

    @Test("Keys mean what the screen asks for")
    func keys() {
        func event(_ key: Key, _ change: (inout Basket) -> Void = { _ in }) -> BasketEvent? {
            var state = Self.state
            change(&state)
            if case .ask(let event) = Command(key: key, state: state) { return event }
            return nil
        }
        #expect(event(.character("+")) == .countPlusPressed(2))
        #expect(event(.character(" ")) == .checkMarkPressed(2, true))
        #expect(event(.enter) == .tableItemPressed(2))
        #expect(event(.character("y")) == nil)
        #expect(event(.character("y")) { $0.pendingDelete = 1 } == .confirmDelete)
        #expect(event(.escape) { $0.pendingDelete = 1 } == .cancelDelete)
        #expect(event(.character("+")) { $0.pendingDelete = 1 } == nil)
        #expect(event(.escape) { $0.details = $0.current } == .detailsClosed)
        #expect(event(.character("b")) { $0.details = $0.current } == nil)
        #expect(Command(key: .control("c"), state: Self.state) == .quit)
        #expect(event(.character("+")) { $0.items = .idle } == nil)
    }

    @Test("Lines are words, with an id where one is needed")
    func words() {
        #expect(Command(line: "Plus 3") == .ask(.countPlusPressed(3)))
        #expect(Command(line: "uncheck  3") == .ask(.checkMarkPressed(3, false)))
        #expect(Command(line: "buy") == .ask(.buyButtonPressed))
        for line in ["plus", "plus x", "buy 3", "plus 1 2", "", "list 1"] { #expect(Command(line: line) == nil) }
    }

    @Test("A basket's file has a name that ends in .json")
    func options() throws {
        #expect(try Options.parse([]) == .run(Options()))
        #expect(try Options.parse(["a/b.json"]) == .run(Options(file: "a/b.json")))
        #expect(try Options(file: "a/b.json").shop().path == "a/b.json")
        #expect(try Options(file: "b.json").shop().path == "./b.json")
        for words in [["a.txt"], ["a.json", "b.json"], ["--file"]] {
            #expect(throws: UserFacingError.self) { try Options.parse(words) }
        }
    }
}
