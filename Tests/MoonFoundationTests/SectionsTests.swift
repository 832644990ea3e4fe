import MoonFoundation
import MoonlightTestSupport
import Testing

@Suite("Sections: items under headers")
struct SectionsTests {
    private let cars = Sections([
        .init(header: "F", items: ["Fiat", "Ford"]), .init(header: "H", items: []), .init(header: "O", items: ["Opel"]),
    ])

    @Test("The counts are right for every section, and 0 for one that is not there")
    func counts() {
        #expect((-1...3).map(cars.count(inSection:)) == [0, 2, 0, 1, 0])
        #expect(cars.count == 3)
        #expect(cars.sections.count == 3)
    }

    @Test("Without sections there is nothing, and nothing traps")
    func empty() {
        let none = Sections<String, Int>()
        #expect(none.isEmpty)
        #expect(none.first == nil)
        #expect(none.count == 0)
        #expect(none.rows.isEmpty)
        #expect(none[section: 0, row: 0] == nil)
        #expect(none.index(section: 0, row: 0) == nil)
    }

    @Test("An item is found by section and row; there is nil where none is")
    func lookup() {
        #expect(cars[section: 0, row: 1] == "Ford")
        #expect(cars[section: 1, row: 0] == nil)
        #expect(cars[section: 2, row: -1] == nil)
        #expect(cars[section: 3, row: 0] == nil)
        #expect(cars.index(section: 0, row: 2) == nil)
        #expect(cars.index(section: 2, row: 0).map { cars[$0] } == "Opel")
    }

    @Test("Going through the items passes over empty sections")
    func across() {
        #expect(cars.next(after: "Ford") == "Opel")
        #expect(cars.firstIndex(of: "Opel") == cars.index(section: 2, row: 0))
    }

    /// In a process of its own: what stops at an empty section reads before its first item.
    @Test("So does going back through them")
    func backwards() async {
        await #expect(processExitsWith: .success) {
            let cars = SectionsTests().cars
            #expect(cars.previous(before: "Opel") == "Ford")
            #expect(cars.previous(before: "Fiat", wrapping: true) == "Opel")
            #expect(Array(cars.reversed()) == ["Opel", "Ford", "Fiat"])
        }
    }

    @Test(
        "A place leads to the one before and the one behind it, over however many empty sections",
        arguments: (0..<64).map { [$0 / 16, $0 / 4 % 4, $0 % 4] })
    func places(counts: [Int]) throws {
        let empty = Sections<Int, Int>.Section(header: 0, items: [])
        for gap in 0...2 {
            let sections = Sections(
                counts.flatMap { count in
                    [.init(header: count, items: Array(0..<count))] + Array(repeating: empty, count: gap)
                })
            let places = counts.indices.flatMap { section in (0..<counts[section]).map { [section * (gap + 1), $0] } }
            func named(_ index: Sections<Int, Int>.Index) -> [Int] { [index.section, index.row] }
            var index = sections.startIndex
            for place in places {
                #expect(named(index) == place)
                index = sections.index(after: index)
            }
            #expect(index == sections.endIndex)
            for place in places.reversed() {
                index = sections.index(before: index)
                #expect(named(index) == place)
            }
            #expect(index == sections.startIndex)
        }
    }

    @Test("Flattened, each section is its header and then its items")
    func rows() throws {
        let places = Array(cars.indices)
        #expect(
            cars.rows == [
                .header("F", section: 0), .item("Fiat", at: places[0]), .item("Ford", at: places[1]),
                .header("H", section: 1), .header("O", section: 2), .item("Opel", at: places[2]),
            ])
    }

    @Test("Grouping keeps the order in which headers and items come")
    func grouping() {
        let grouped = Sections(grouping: ["Opel", "Fiat", "Ford", "Olds"], by: \.first)
        #expect(grouped.sections.map(\.header) == ["O", "F"])
        #expect(grouped.sections.map(\.items) == [["Opel", "Olds"], ["Fiat", "Ford"]])
    }

    private struct Refused: Error {}

    @Test("Grouping throws what the header's function throws")
    func throwing() {
        #expect(throws: Refused.self) {
            _ = try Sections(grouping: [1]) { _ throws(Refused) -> Int in throw Refused() }
        }
    }

    @Test("A changed section counts at once")
    func changing() {
        var cars = cars
        cars.sections[1].items.append("Honda")
        #expect(cars.count == 4)
        #expect(cars.next(after: "Ford") == "Honda")
    }

    @Test("Generated: it is the collection that its joined sections are", arguments: 0..<300)
    func laws(seed: Int) {
        var generator = Dice(seed: seed)
        let sections = Sections(
            (0..<Int.random(in: 0...5, using: &generator)).map { number in
                Sections<Int, Int>.Section(header: number, items: Array(generator.numbers().prefix(4)))
            })
        let joined = sections.sections.flatMap(\.items)
        #expect(Array(sections) == joined)
        #expect(Array(sections.reversed()) == joined.reversed())
        #expect(sections.count == joined.count)
        #expect(sections.isEmpty == joined.isEmpty)
        #expect(sections.indices.map { sections[$0] } == joined)
        #expect(sections.distance(from: sections.startIndex, to: sections.endIndex) == joined.count)
        for (offset, index) in sections.indices.enumerated() {
            #expect(sections.index(sections.startIndex, offsetBy: offset) == index)
            #expect(sections.index(section: index.section, row: index.row) == index)
            #expect(sections.index(before: sections.index(after: index)) == index)
        }
        #expect(sections.rows.count == joined.count + sections.sections.count)
        #expect(sections.sections.indices.reduce(0) { $0 + sections.count(inSection: $1) } == joined.count)
        let bound = sections.indices.randomElement(using: &generator) ?? sections.endIndex
        #expect(Array(sections[safe: ..<bound]) + Array(sections[safe: bound...]) == joined)
    }

    @Test("Generated: grouping loses nothing, and puts each item under its header", arguments: 0..<300)
    func groupingLaws(seed: Int) {
        var generator = Dice(seed: seed)
        let numbers = generator.numbers()
        let grouped = Sections(grouping: numbers) { $0 % 3 }
        #expect(grouped.sorted() == numbers.sorted())
        #expect(Set(grouped.sections.map(\.header)).count == grouped.sections.count)
        for section in grouped.sections {
            #expect(section.items == numbers.filter { $0 % 3 == section.header })
            #expect(!section.items.isEmpty)
        }
    }
}
