import MoonFoundation
import SampleTerminal
import Testing

@testable import CarsSample

@Suite("How cars are shown, and what can be said")
struct CarsViewTests {
    private static let app: App = {
        var app = App()
        app.data.cars = .loaded(Sections(grouping: DataProvider.catalogue, by: \.make))
        app.data.orders = [Order(number: 1, car: DataProvider.catalogue[0], colour: "red", customer: "Ada")]
        app.selected = 4
        return app
    }()

    private func texts(_ state: App, refusal: String? = nil, columns: Int = 80, rows: Int = 24) -> [String] {
        Panel.rows(of: state, refusal: refusal, in: Size(columns: columns, rows: rows)).map(\.text)
    }

    @Test("The list has headers with counts, and marks the selected car and those that were ordered")
    func list() {
        let rows = texts(Self.app)
        #expect(rows.prefix(4) == ["Cars", "", "Fiat  2", "  1  500  1957  ordered"])
        #expect(rows.contains("> 4  DS  1955"))
        #expect(rows.last == "↑↓ select   ⏎ details   r reload   q quit   ")
        #expect(texts(Self.app, columns: 20).last == "↑↓ ⏎ r q")
    }

    @Test("The details and the form show what is chosen, and what is wrong")
    func screens() {
        var state = Self.app
        state.route = [.details(CarDetails(DataProvider.catalogue[1]))]
        #expect(
            texts(state).prefix(5) == [
                "Fiat Panda", "", "Goes where it is sent.", "from 1980, 6500", "in [beige]  green ",
            ])
        var form = OrderForm(car: DataProvider.catalogue[1], colour: "green")
        (form.customer, form.error) = ("Ada", DataError("no room"))
        state.route.append(.order(form))
        #expect(
            texts(state).prefix(5) == ["Order", "", "Fiat Panda in green, 6500", "for Ada▏", "not ordered: no room"])
        #expect(texts(state, refusal: "a name is wanted").contains("a name is wanted"))
    }

    @Test("However low the window, the selected car is in it", arguments: 1...14)
    func low(rows: Int) {
        let shown = texts(Self.app, rows: rows)
        #expect(shown.count <= rows)
        #expect(shown.contains("> 4  DS  1955"))
    }

    @Test("Keys mean what the screen asks for: in the form they are letters")
    func keys() {
        var state = Self.app
        #expect(Command(key: .down, state: state) == .ask(.list(.next)))
        #expect(Command(key: .enter, state: state) == .ask(.list(.open)))
        #expect(Command(key: .escape, state: state) == nil)
        state.route = [.details(CarDetails(DataProvider.catalogue[1]))]
        #expect(Command(key: .left, state: state) == .ask(.details(.previousColour)))
        #expect(Command(key: .escape, state: state) == .ask(.back))
        #expect(Command(key: .character("q"), state: state) == .quit)
        state.route.append(.order(OrderForm(car: DataProvider.catalogue[1], colour: "green")))
        #expect(Command(key: .character("q"), state: state) == .ask(.order(.typed("q"))))
        #expect(Command(key: .backspace, state: state) == .ask(.order(.erased)))
        #expect(Command(key: .escape, state: state) == .ask(.back))
        #expect(Command(key: .control("c"), state: state) == .quit)
    }

    @Test("Lines are words, and what they are about")
    func lines() {
        #expect(Command(line: "Select 3") == .ask(.list(.select(3))))
        #expect(Command(line: "name Ada  Lovelace") == .ask(.order(.named("Ada  Lovelace"))))
        #expect(Command(line: "colour red") == .ask(.details(.choose("red"))))
        for line in ["select", "select x", "open 3", "name", "fly"] { #expect(Command(line: line) == nil) }
    }

    @Test("The command line names a list and a folder")
    func options() throws {
        #expect(try Options.parse(["--orders", "o", "a.json"]) == .run(Options(cars: "a.json", orders: "o")))
        for words in [["a.txt"], ["a.json", "b.json"], ["--orders"], ["--nope"]] {
            #expect(throws: UserFacingError.self) { try Options.parse(words) }
        }
    }
}
