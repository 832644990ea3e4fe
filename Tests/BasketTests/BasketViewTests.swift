import MoonFoundation
import MoonPresentation
import Moonlight
import MoonlightTestSupport
import SampleSupport
import Testing

@testable import BasketSample

@Suite("Basket: the views and the commands")
struct BasketViewTests {
    private static let state = Basket(items: .loaded(IdentifiedList(Cart.starter.items)), selected: 2)

    private func rows(_ state: Basket = state, refusal: String? = nil, columns: Int = 72, rows: Int = 11) -> [String] {
        var presentation = Presentation<BasketEvent>()
        let size = Size(columns: columns, rows: rows)
        return presentation.frame(size) { $0.add(BasketView(state).body(in: size, refusal: refusal)) }.rows
    }

    @Test("The panel shows the items, the sum to pay, and the keys")
    func panel() {
        expectEqual(
            rows(),
            [
                "Basket", "",
                "      Item                                                 Price     Sum",
                "  [x] Map of the moon                                  1 × 12.50   12.50",
                "> [ ] Telescope                                       1 × 189.00  189.00",
                "  [x] Warm socks                                        3 × 7.90   23.70",
                "  [ ] 月の本                                           1 × 24.00   24.00",
                "", "", "2 to buy: 36.20",
                "↑/↓ select  +/- amount  Space check  Enter details  d delete  b buy …",
            ])
        expect(rows(refusal: "nothing is checked").contains("nothing is checked"))
        expectEqual(rows(columns: 100).last?.hasSuffix("q quit"), true)
    }

    @Test("A question, the details and an order on its way take the place of the list")
    func modes() {
        var state = Self.state
        state.pendingDelete = 3
        expectEqual(rows(state).suffix(2), ["Delete Warm socks?", "y yes  n/Esc no"])
        expectEqual(rows(state, rows: 3).last, "Delete Warm socks?")
        state.details = Cart.starter.items[2]
        state.pendingDelete = nil
        expectEqual(
            rows(state, rows: 5), ["Warm socks", "For clear nights.", "3 × 7.90 = 23.70", "", "Esc/Enter/Backspace back"])
        expectEqual(rows(Basket(isBuying: true))[0], "Buying…")
        expect(rows(Basket(items: .failed(.store("no such luck")))).contains("no such luck"))
        expect(rows(Basket()).contains("Loading…"))
    }

    @Test("The selected item is visible in a window of any height", arguments: 1...12)
    func low(height: Int) {
        var state = Self.state
        state.selected = 4
        expect(rows(state, rows: height).contains { $0.hasPrefix("> ") && $0.contains("月の本") })
    }

    @Test("The basket in a pipe is printed as lines with ids")
    func lines() {
        var state = Self.state
        expectEqual(BasketText(state: state).lines.first, "1  [x] Map of the moon  1 × 12.50")
        expectEqual(BasketText(state: state).lines.last, "2 to buy: 36.20")
        state.note = .bought(Order(number: 7, items: [Cart.starter.items[0]]))
        expectEqual(BasketText(state: state).lines.suffix(2), ["Bought: order 7, 12.50", "2 to buy: 36.20"])
    }

    @Test("Keys have the meaning that the current screen gives them")
    func keys() {
        func event(_ key: Key, _ change: (inout Basket) -> Void = { _ in }) -> BasketEvent? {
            var state = Self.state
            change(&state)
            if case .send(let event) = BasketView(state).keys[key] { return event }
            return nil
        }
        expectEqual(event("+"), .countPlusPressed(2))
        expectEqual(event(" "), .checkMarkPressed(2, true))
        expectEqual(event(.enter), .tableItemPressed(2))
        expect(event("y") == nil)
        expectEqual(event("y") { $0.pendingDelete = 1 }, .confirmDelete)
        expectEqual(event(.escape) { $0.pendingDelete = 1 }, .cancelDelete)
        expect(event("+") { $0.pendingDelete = 1 } == nil)
        expectEqual(event(.escape) { $0.details = $0.current }, .detailsClosed)
        expect(event("b") { $0.details = $0.current } == nil)
        expect(event("+") { $0.items = .idle } == nil)
    }

    @Test("The program is left by q, Ctrl-C and Ctrl-D", arguments: ["q", .control("c"), .control("d")] as [Key])
    func quit(key: Key) throws {
        let works = BasketEnvironment(
            loadItems: { () throws(BasketError) in Cart.starter.items },
            increaseAmount: { _ throws(BasketError) in Cart.starter.items[0] },
            decreaseAmount: { _ throws(BasketError) in Cart.starter.items[0] },
            updateCheckbox: { _, _ throws(BasketError) in Cart.starter.items[0] }, deleteItem: { _ throws(BasketError) in },
            postOrder: { _ throws(BasketError) in Order(number: 1, items: []) })
        let pilot = try BasketView.program(works).pilot()
        pilot.press(key)
        expectEqual(pilot.ending, .quit)
    }

    @Test("Commands are words, with an id where one is needed")
    func words() {
        expectEqual(Command(line: "Plus 3"), .ask(.countPlusPressed(3)))
        expectEqual(Command(line: "uncheck  3"), .ask(.checkMarkPressed(3, false)))
        expectEqual(Command(line: "buy"), .ask(.buyButtonPressed))
        for line in ["plus", "plus x", "buy 3", "plus 1 2", "", "list 1"] { expect(Command(line: line) == nil) }
    }

    @Test("The command line takes one file, whose name ends in .json")
    func options() throws {
        try expectEqual(Options.parse([]), .run(Options()))
        try expectEqual(Options.parse(["a/b.json"]), .run(Options(file: "a/b.json")))
        try expectEqual(Options(file: "a/b.json").shop().path, "a/b.json")
        try expectEqual(Options(file: "b.json").shop().path, "./b.json")
        for words in [["a.txt"], ["a.json", "b.json"], ["--file"]] {
            #expect(throws: UserFacingError.self) { try Options.parse(words) }
        }
    }

    @Test("The picture of the basket in the documentation is the frame of the terminal")
    func picture() throws {
        var presentation = Presentation<BasketEvent>()
        let size = Size(columns: 84, rows: 11)
        let frame = presentation.frame(size) { $0.add(BasketView(Self.state).body(in: size, refusal: nil)) }
        try frame.compare(to: "basket")
        try frame.compareSVG(
            at: "../../Documentation/Samples/basket.svg",
            title: "A table of four items, of which two are checked, what they cost, and the keys")
    }
}
