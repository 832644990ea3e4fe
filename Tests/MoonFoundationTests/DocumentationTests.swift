import MoonFoundation
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("The page of MoonFoundation")
struct DocumentationTests {
    struct Item: Codable {
        let id: Int
        var name: String
    }
    struct Offline: Error, Equatable {}

    @Test("The example of neighbors gives the next and previous elements")
    func neighbors() {
        let tabs = ["list", "details", "order"]
        #expect(tabs.next(after: "list") == "details")
        #expect(tabs.next(after: "order") == nil)
        #expect(tabs.next(after: "order", wrapping: true) == "list")
        #expect(tabs.previous(before: "list", wrapping: true) == "order")
    }

    @Test("The example of safe access gives nil where an index is out of range")
    func safeAccess() {
        let lines = ["one", "two", "three"]
        #expect(lines[safe: 7] == nil)
    }

    @Test("The example of changes by value moves and removes")
    func byValue() {
        var letters = ["a", "b", "c"]
        letters.move("a", to: 99)
        #expect(letters == ["b", "c", "a"])
        letters.remove("b")
        #expect(letters == ["c", "a"])
    }

    @Test("The example of sections groups, counts and finds items")
    func sections() {
        let cars = Sections(grouping: ["Fiat 500", "Ford Ka", "Opel Corsa"], by: \.first)
        #expect(cars.count == 3)
        #expect(cars.count(inSection: 0) == 2)
        #expect(cars[section: 1, row: 0] == "Opel Corsa")
        #expect(cars[section: 1, row: 7] == nil)
        #expect(cars.next(after: "Ford Ka") == "Opel Corsa")
        #expect(cars.rows.count == 5)
    }

    @Test("The example of decimals gives exact results")
    func decimals() {
        let price = Decimal(7)
        #expect(price.raised(to: 2) == 49)
        #expect(price.raised(to: -1).rounded(toPlaces: 3) == Decimal(string: "0.143"))
        #expect(Decimal(1).divided(by: 0).isNaN)
    }

    @Test("The example of `Loadable` keeps the value while it loads again")
    func loadable() {
        var weather = Loadable<String, Offline>.idle
        weather.startLoading()
        weather.finish(with: .success("rain"))
        weather.startLoading()
        #expect(weather.isLoading)
        #expect(weather.value == "rain")
        weather.finish(with: .failure(Offline()))
        #expect(weather.error == Offline())
    }

    @Test("The example of `Pager` loads a page at a time")
    func pager() throws {
        var pager = Pager<String, Offline>(pageSize: 2)
        let first = try pager.requestNext().orThrow(Offline())
        #expect(pager.requestNext() == nil)
        pager.receive(["one", "two"], for: first)
        let second = try pager.requestNext().orThrow(Offline())
        #expect(second.offset == 2)
        pager.fail(Offline(), for: second)
        let again = try pager.requestNext().orThrow(Offline())
        pager.receive([], for: again)
        #expect(pager.isFinished)
        #expect(pager.items == ["one", "two"])
    }

    @Test("The example of `FileStore` reads and writes values")
    func files() throws {
        let folder = TemporaryFolder()
        let store = FileStore(folder: folder.path)
        var items = try store.read(named: "basket", default: [Item]())
        items.append(Item(id: 3, name: "milk"))
        try store.write(items, named: "basket")
        #expect(try store.names() == ["basket"])

        do throws(FileStoreError) {
            _ = try store.read([String].self, named: "basket")
        } catch .notDecodable(_, _, let place, _) {
            #expect(place == "[0]")
        }
    }

    @Test("Each block of code on the page is one of these tests, word for word")
    func verbatim() throws {
        let here = URL(filePath: #filePath)
        let page = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/MoonFoundation/MoonFoundation.docc/MoonFoundation.md")
        let tests = lines(try String(contentsOf: here, encoding: .utf8)).joined(separator: "\n")
        let blocks = try String(contentsOf: page, encoding: .utf8).split(
            separator: "```", omittingEmptySubsequences: false
        )
        .enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { lines($0.element.dropFirst("swift".count)) }
        #expect(blocks.count == 9)
        for block in blocks { #expect(tests.contains(block.joined(separator: "\n"))) }
    }

    private func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    }
}
