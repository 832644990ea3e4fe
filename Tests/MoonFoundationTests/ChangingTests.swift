import MoonFoundation
import MoonlightTestSupport
import Testing

@Suite("Lists: moving, removing and inserting")
struct ChangingTests {
    @Test("`move(from:to:)` moves the element, and shifts those between")
    func moveByIndex() {
        var letters = ["a", "b", "c", "d"]
        expectEqual(letters.move(from: 0, to: 2), true)
        expectEqual(letters, ["b", "c", "a", "d"])
        expectEqual(letters.move(from: 3, to: 0), true)
        expectEqual(letters, ["d", "b", "c", "a"])
    }

    @Test("`move(from:to:)` clamps the destination, and does nothing if the source is out of range")
    func clamping() {
        var letters = ["a", "b", "c"]
        letters.move(from: 0, to: 9)
        expectEqual(letters, ["b", "c", "a"])
        letters.move(from: 2, to: -9)
        expectEqual(letters, ["a", "b", "c"])
        expectEqual(letters.move(from: 3, to: 0), false)
        expectEqual(letters.move(from: -1, to: 0), false)
        expectEqual(letters, ["a", "b", "c"])
    }

    @Test("Changes of an empty list do not trap")
    func empty() {
        var letters: [String] = []
        expectEqual(letters.move(from: 0, to: 0), false)
        expectEqual(letters.move("a", to: 3), false)
        expect(letters.remove("a") == nil)
        letters.insert("a", clamping: 7)
        expectEqual(letters, ["a"])
    }

    @Test("Changes by value apply to the first equal element")
    func byValue() {
        var letters = ["a", "b", "a"]
        expectEqual(letters.move("a", to: 1), true)
        expectEqual(letters, ["b", "a", "a"])
        expectEqual(letters.remove("b"), "b")
        expectEqual(letters, ["a", "a"])
        expectEqual(letters.move("z", to: 0), false)
        expect(letters.remove("z") == nil)
        expectEqual(letters, ["a", "a"])
    }

    @Test("Changes by id apply to the first element with it")
    func byID() {
        var named = [Named(id: 1, name: "a"), Named(id: 2, name: "b"), Named(id: 3, name: "c")]
        expectEqual(named.remove(id: 3)?.name, "c")
        expectEqual(named, [Named(id: 1, name: "a"), Named(id: 2, name: "b")])
        expect(named.remove(id: 9) == nil)
        expectEqual(named.count, 2)
    }

    private struct Refused: Error {}

    @Test("`update(id:)` changes the element in place, and passes on the result and the error of the change")
    func update() throws {
        var named = [Named(id: 1, name: "a")]
        expect(named.update(id: 1) { $0.name += "!" } != nil)
        expectEqual(named, [Named(id: 1, name: "a!")])
        expectEqual(named.update(id: 1) { $0.name.count }, 2)
        expect(named.update(id: 2) { $0.name.count } == nil)
        #expect(throws: Refused.self) { try named.update(id: 1) { _ throws(Refused) in throw Refused() } }
    }

    @Test("`insert(clamping:)` clamps the index to the ends")
    func insert() {
        var numbers = [2, 3]
        numbers.insert(8, clamping: -4)
        numbers.insert(9, clamping: 40)
        expectEqual(numbers, [8, 2, 3, 9])
    }

    @Test("Finding an element compares up to the first occurrence, and moving it compares no more")
    func comparisons() {
        let tally = Counted.Tally()
        var row = Counted.row(0..<100, tally)
        row.move(row[9], to: 99)
        expectEqual(tally.comparisons, 10)
        row.move(from: 0, to: 99)
        expectEqual(tally.comparisons, 10)
        row.remove(row[4])
        expectEqual(tally.comparisons, 15)
    }

    @Test("Generated: moving equals removing and inserting at the clamped index", arguments: Budget.seeds(400, least: 30))
    func moving(seed: Int) {
        var generator = Dice(seed: seed)
        let numbers = generator.numbers()
        let (source, destination) = (generator.index(), generator.index())

        var moved = numbers
        var expected = numbers
        if expected.indices.contains(source) {
            let element = expected.remove(at: source)
            expected.insert(element, at: max(0, min(destination, expected.count)))
        }
        expectEqual(moved.move(from: source, to: destination), numbers.indices.contains(source))
        expectEqual(moved, expected)
        expectEqual(moved.sorted(), numbers.sorted())

        // The move back restores the list.
        if numbers.indices.contains(source) {
            moved.move(from: max(0, min(destination, numbers.count - 1)), to: source)
            expectEqual(moved, numbers)
        }
    }

    @Test(
        "Generated: an inserted element is at the clamped index, and removing it undoes the insertion",
        arguments: Budget.seeds(300, least: 30))
    func inserting(seed: Int) {
        var generator = Dice(seed: seed)
        let numbers = generator.numbers()
        let place = generator.index()
        var changed = numbers
        changed.insert(99, clamping: place)
        expectEqual(changed[safe: max(0, min(place, numbers.count))], 99)
        expectEqual(changed.remove(99), 99)
        expectEqual(changed, numbers)
    }

    @Test("Generated: removing by value removes the first occurrence only", arguments: Budget.seeds(300, least: 30))
    func first(seed: Int) {
        var generator = Dice(seed: seed)
        let numbers = generator.numbers()
        let element = Int.random(in: 0...5, using: &generator)
        let place = numbers.firstIndex(of: element)

        var removed = numbers
        expectEqual(removed.remove(element), place.map { numbers[$0] })
        expectEqual(removed, numbers.enumerated().filter { $0.offset != place }.map(\.element))
    }
}
