import MoonFoundation
import MoonlightTestSupport
import Testing

@Suite("Moving and removing without traps")
struct ChangingTests {
    @Test("`move(_:to:)` moves the element, and shifts those between")
    func move() {
        var letters = ["a", "b", "c", "d"]
        expectEqual(letters.move("a", to: 2), true)
        expectEqual(letters, ["b", "c", "a", "d"])
        expectEqual(letters.move("d", to: 0), true)
        expectEqual(letters, ["d", "b", "c", "a"])
    }

    @Test("`move(_:to:)` clamps the destination")
    func clamping() {
        var letters = ["a", "b", "c"]
        letters.move("a", to: 9)
        expectEqual(letters, ["b", "c", "a"])
        letters.move("a", to: -9)
        expectEqual(letters, ["a", "b", "c"])
    }

    @Test("Changes of an empty list do nothing")
    func empty() {
        var letters: [String] = []
        expectEqual(letters.move("a", to: 3), false)
        expect(letters.remove("a") == nil)
        expectEqual(letters, [])
    }

    @Test("Changes apply to the first equal element, and to none that is absent")
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

    @Test("Finding an element compares up to the first occurrence, and moving it compares no more")
    func comparisons() {
        let tally = Counted.Tally()
        var row = Counted.row(0..<100, tally)
        row.move(row[9], to: 99)
        expectEqual(tally.comparisons, 10)
        row.remove(row[4])
        expectEqual(tally.comparisons, 15)
    }

    @Test("Generated: moving equals removing and inserting at the clamped index", arguments: Budget.seeds(400, least: 30))
    func moving(seed: Int) {
        var generator = Dice(seed: seed)
        let numbers = generator.numbers()
        let (element, destination) = (Int.random(in: 0...5, using: &generator), generator.index())

        var moved = numbers
        var expected = numbers
        let source = expected.firstIndex(of: element)
        if let source {
            expected.remove(at: source)
            expected.insert(element, at: max(0, min(destination, expected.count)))
        }
        expectEqual(moved.move(element, to: destination), source != nil)
        expectEqual(moved, expected)
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
