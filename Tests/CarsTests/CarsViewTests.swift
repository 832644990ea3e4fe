import MoonFoundation
import MoonPresentation
import MoonlightTestSupport
import SampleSupport
import Testing

@testable import CarsSample

@Suite("Cars: the views and the commands")
struct CarsViewTests {
    private static let app: App = {
        var app = App()
        app.data.cars = .loaded(Sections(grouping: DataProvider.catalogue, by: \.make))
        app.data.orders = [Order(number: 1, car: DataProvider.catalogue[0], colour: "red", customer: "Ada")]
        app.selected = 4
        return app
    }()

    private func rows(_ state: App, refusal: String? = nil, columns: Int = 60, rows: Int = 20) -> [String] {
        var presentation = Presentation<AppEvent>()
        let size = Size(columns: columns, rows: rows)
        return presentation.frame(size) { $0.add(AppView(app: state).body(in: size, refusal: refusal)) }.rows
    }

    @Test("The list has headers with counts, and marks the selected car and those that were ordered")
    func list() {
        let rows = rows(Self.app)
        expectEqual(rows.prefix(4), ["Cars", "", "Fiat  2", "  1  500  1957  ordered"])
        expect(rows.contains("> 4  DS  1955"))
        expectEqual(rows.last, "↑/↓ select  Enter details  r reload  q quit")
    }

    @Test("The details and the form show the choice, and what is wrong")
    func screens() {
        var state = Self.app
        state.route = [.details(CarDetails(DataProvider.catalogue[1]))]
        expectEqual(
            rows(state).prefix(5),
            [
                "Fiat Panda", "", "Goes where it is sent.", "from 1980, 6500", "in [beige]  green",
            ])
        var form = OrderForm(car: DataProvider.catalogue[1], colour: "green")
        (form.customer, form.error) = ("Ada", DataError("no room"))
        state.route.append(.order(form))
        expectEqual(rows(state).prefix(5), ["Order", "", "Fiat Panda in green, 6500", "for Ada", "not ordered: no room"])
        expect(rows(state, refusal: "a name is wanted").contains("a name is wanted"))
    }

    @Test("The selected car is visible in a window of any height", arguments: 1...14)
    func low(height: Int) {
        expect(rows(Self.app, rows: height).contains("> 4  DS  1955"))
    }

    @Test("Keys have the meaning that the current screen gives them, and are letters in the form")
    func keys() throws {
        let data = Actions(
            getCars: { () throws(DataError) in [] }, getOrders: { () throws(DataError) in [] },
            makeOrder: { order throws(DataError) in order })
        let program = AppView.program(data)
        var state = Self.app
        expectEqual(program.event(for: .enter, in: state), .list(.open))
        expect(program.event(for: .escape, in: state) == nil)
        state.route = [.details(CarDetails(DataProvider.catalogue[1]))]
        expectEqual(program.event(for: .left, in: state), .details(.previousColour))
        expectEqual(program.event(for: .escape, in: state), .back)
        expectEqual(AppView(app: state).keys["q"], .quit)
        state.route.append(.order(OrderForm(car: DataProvider.catalogue[1], colour: "green")))
        expect(AppView(app: state).keys["q"] == nil)
        expectEqual(program.event(for: .escape, in: state), .back)
    }

    @Test("Commands are words with their arguments")
    func lines() {
        expectEqual(Command(line: "Select 3"), .ask(.list(.select(3))))
        expectEqual(Command(line: "name Ada  Lovelace"), .ask(.order(.named("Ada  Lovelace"))))
        expectEqual(Command(line: "colour red"), .ask(.details(.choose("red"))))
        for line in ["select", "select x", "open 3", "name", "fly"] { expect(Command(line: line) == nil) }
    }

    @Test("The command line names a list and a folder")
    func options() throws {
        try expectEqual(Options.parse(["--orders", "o", "a.json"]), .run(Options(cars: "a.json", orders: "o")))
        for words in [["a.txt"], ["a.json", "b.json"], ["--orders"], ["--nope"]] {
            #expect(throws: UserFacingError.self) { try Options.parse(words) }
        }
    }

    @Test("The picture of the cars in the documentation is the frame of the terminal")
    func picture() throws {
        var presentation = Presentation<AppEvent>()
        let size = Size(columns: 44, rows: 15)
        let frame = presentation.frame(size) { $0.add(AppView(app: Self.app).body(in: size, refusal: nil)) }
        try frame.compare(to: "cars")
        try frame.compareSVG(
            at: "../../Documentation/Samples/cars.svg",
            title: "Cars under the names of who makes them, one of them selected, and the keys")
    }
}
