import MoonFoundation
import MoonlightTestSupport
import Testing

@Suite("Sections: items under headers")
struct SectionsTests {
    private let cars = Sections([
        .init(header: "F", items: ["Fiat", "Ford"]), .init(header: "H", items: []), .init(header: "O", items: ["Opel"]),
    ])

    @Test("`count(inSection:)` is the number of items, and 0 for a section that does not exist")
    func counts() {
        expectEqual((-1...3).map(cars.count(inSection:)), [0, 2, 0, 1, 0])
        expectEqual(cars.count, 3)
        expectEqual(cars.sections.count, 3)
    }

    @Test("A collection without sections is empty and does not trap")
    func empty() {
        let none = Sections<String, Int>()
        expect(none.isEmpty)
        expect(none.first == nil)
        expectEqual(none.count, 0)
        expect(none.rows.isEmpty)
        expect(none[section: 0, row: 0] == nil)
    }

    @Test("The subscript by section and row returns the item, or nil if there is none")
    func lookup() {
        expectEqual(cars[section: 0, row: 1], "Ford")
        expect(cars[section: 1, row: 0] == nil)
        expect(cars[section: 2, row: -1] == nil)
        expect(cars[section: 3, row: 0] == nil)
    }

    @Test("`[safe:]` is nil for an index of items that were removed")
    func safe() throws {
        var cars = cars
        let (ford, opel) = (try #require(cars.firstIndex(of: "Ford")), try #require(cars.firstIndex(of: "Opel")))
        expect(cars[safe: ford] == "Ford" && cars[safe: opel] == "Opel" && cars[safe: cars.endIndex] == nil)
        cars.sections[0].items.removeLast()
        expect(cars[safe: ford] == nil && cars[safe: opel] == "Opel")
        cars.sections.removeAll()
        expect(cars[safe: opel] == nil)
    }

    @Test("Iterating forwards skips empty sections")
    func across() {
        expectEqual(cars.next(after: "Ford"), "Opel")
        expectEqual(cars.firstIndex(of: "Opel").map { [$0.section, $0.row] }, [2, 0])
    }

    /// Runs in a separate process: a faulty `index(before:)` traps.
    @Test("Iterating backwards skips empty sections")
    func backwards() async {
        await #expect(processExitsWith: .success) {
            let cars = SectionsTests().cars
            expectEqual(cars.previous(before: "Opel"), "Ford")
            expectEqual(cars.previous(before: "Fiat", wrapping: true), "Opel")
            expectEqual(Array(cars.reversed()), ["Opel", "Ford", "Fiat"])
        }
    }

    @Test(
        "`index(before:)` and `index(after:)` skip any number of empty sections",
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
                expectEqual(named(index), place)
                index = sections.index(after: index)
            }
            expectEqual(index, sections.endIndex)
            for place in places.reversed() {
                index = sections.index(before: index)
                expectEqual(named(index), place)
            }
            expectEqual(index, sections.startIndex)
        }
    }

    @Test("`rows` has each section's header followed by its items")
    func rows() throws {
        let places = Array(cars.indices)
        expectEqual(
            cars.rows,
            [
                .header("F", section: 0), .item("Fiat", at: places[0]), .item("Ford", at: places[1]),
                .header("H", section: 1), .header("O", section: 2), .item("Opel", at: places[2]),
            ])
    }

    @Test("Grouping keeps the order of headers and items")
    func grouping() {
        let grouped = Sections(grouping: ["Opel", "Fiat", "Ford", "Olds"], by: \.first)
        expectEqual(grouped.sections.map(\.header), ["O", "F"])
        expectEqual(grouped.sections.map(\.items), [["Opel", "Olds"], ["Fiat", "Ford"]])
    }

    private struct Refused: Error {}

    @Test("Grouping rethrows the error of the closure")
    func throwing() {
        #expect(throws: Refused.self) {
            _ = try Sections(grouping: [1]) { _ throws(Refused) -> Int in throw Refused() }
        }
    }

    @Test("A change of a section is visible at once")
    func changing() {
        var cars = cars
        cars.sections[1].items.append("Honda")
        expectEqual(cars.count, 4)
        expectEqual(cars.next(after: "Ford"), "Honda")
    }

    @Test("Generated: sections equal their joined items as a collection", arguments: Budget.seeds(300, least: 30))
    func laws(seed: Int) {
        var generator = Dice(seed: seed)
        let sections = Sections(
            (0..<Int.random(in: 0...5, using: &generator)).map { number in
                Sections<Int, Int>.Section(header: number, items: Array(generator.numbers().prefix(4)))
            })
        let joined = sections.sections.flatMap(\.items)
        expectEqual(Array(sections), joined)
        expectEqual(Array(sections.reversed()), joined.reversed())
        expectEqual(sections.count, joined.count)
        expectEqual(sections.isEmpty, joined.isEmpty)
        expectEqual(sections.indices.map { sections[$0] }, joined)
        expectEqual(sections.distance(from: sections.startIndex, to: sections.endIndex), joined.count)
        for (offset, index) in sections.indices.enumerated() {
            expectEqual(sections.index(sections.startIndex, offsetBy: offset), index)
            expectEqual(sections[section: index.section, row: index.row], sections[index])
            expectEqual(sections.index(before: sections.index(after: index)), index)
        }
        expectEqual(sections.rows.count, joined.count + sections.sections.count)
        expectEqual(sections.sections.indices.reduce(0) { $0 + sections.count(inSection: $1) }, joined.count)
        let bound = sections.indices.randomElement(using: &generator) ?? sections.endIndex
        expectEqual(Array(sections[..<bound]) + Array(sections[bound...]), joined)
    }

    @Test("Generated: grouping keeps every item, under its header", arguments: Budget.seeds(300, least: 30))
    func groupingLaws(seed: Int) {
        var generator = Dice(seed: seed)
        let numbers = generator.numbers()
        let grouped = Sections(grouping: numbers) { $0 % 3 }
        expectEqual(grouped.sorted(), numbers.sorted())
        expectEqual(Set(grouped.sections.map(\.header)).count, grouped.sections.count)
        for section in grouped.sections {
            expectEqual(section.items, numbers.filter { $0 % 3 == section.header })
            expect(!section.items.isEmpty)
        }
    }
}
