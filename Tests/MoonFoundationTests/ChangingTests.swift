import MoonFoundation
import MoonlightTestSupport
import Testing

@Suite("Moving, removing, replacing and inserting without traps")
struct ChangingTests {
    @Test("move(from:to:) puts the element at the place, and those between step aside")
    func moveByIndex() {
        var letters = ["a", "b", "c", "d"]
        #expect(letters.move(from: 0, to: 2) == true)
        #expect(letters == ["b", "c", "a", "d"])
        #expect(letters.move(from: 3, to: 0) == true)
        #expect(letters == ["d", "b", "c", "a"])
    }

    @Test("A place to move to is clamped; a place to move from is not")
    func clamping() {
        var letters = ["a", "b", "c"]
        letters.move(from: 0, to: 9)
        #expect(letters == ["b", "c", "a"])
        letters.move(from: 2, to: -9)
        #expect(letters == ["a", "b", "c"])
        #expect(letters.move(from: 3, to: 0) == false)
        #expect(letters.move(from: -1, to: 0) == false)
        #expect(letters == ["a", "b", "c"])
    }

    @Test("Nothing traps on an empty list")
    func empty() {
        var letters: [String] = []
        #expect(letters.move(from: 0, to: 0) == false)
        #expect(letters.move("a", to: 3) == false)
        #expect(letters.remove("a") == nil)
        #expect(letters.remove(safe: 0) == nil)
        #expect(letters.replace(safe: 0, with: "a") == nil)
        letters.insert("a", clamping: 7)
        #expect(letters == ["a"])
    }

    @Test("By value, the first equal element is meant")
    func byValue() {
        var letters = ["a", "b", "a"]
        #expect(letters.move("a", to: 1) == true)
        #expect(letters == ["b", "a", "a"])
        #expect(letters.replace("a", with: "c") == "a")
        #expect(letters == ["b", "c", "a"])
        #expect(letters.remove("b") == "b")
        #expect(letters == ["c", "a"])
        #expect(letters.move("z", to: 0) == false)
        #expect(letters.replace("z", with: "y") == nil)
        #expect(letters.remove("z") == nil)
        #expect(letters == ["c", "a"])
    }

    @Test("By id, the first element with it is meant")
    func byID() {
        var named = [Named(id: 1, name: "a"), Named(id: 2, name: "b"), Named(id: 3, name: "c")]
        #expect(named.move(id: 3, to: 0) == true)
        #expect(named.map(\.id) == [3, 1, 2])
        #expect(named.replace(id: 1, with: Named(id: 4, name: "d"))?.name == "a")
        #expect(named.remove(id: 3)?.name == "c")
        #expect(named == [Named(id: 4, name: "d"), Named(id: 2, name: "b")])
        #expect(named.move(id: 9, to: 0) == false)
        #expect(named.replace(id: 9, with: Named(id: 9, name: "")) == nil)
        #expect(named.remove(id: 9) == nil)
        #expect(named.count == 2)
    }

    private struct Refused: Error {}

    @Test("update(id:) changes the element in place, gives what the change gives, and throws what it throws")
    func update() throws {
        var named = [Named(id: 1, name: "a")]
        #expect(named.update(id: 1) { $0.name += "!" } != nil)
        #expect(named == [Named(id: 1, name: "a!")])
        #expect(named.update(id: 1) { $0.name.count } == 2)
        #expect(named.update(id: 2) { $0.name.count } == nil)
        #expect(throws: Refused.self) { try named.update(id: 1) { _ throws(Refused) in throw Refused() } }
    }

    @Test("remove(safe:) and replace(safe:) do nothing where nothing is")
    func safe() {
        var numbers = [1, 2, 3][1...]
        #expect(numbers.remove(safe: 0) == nil)
        #expect(numbers.replace(safe: 3, with: 9) == nil)
        #expect(numbers.replace(safe: 1, with: 9) == 2)
        #expect(numbers.remove(safe: 2) == 3)
        #expect(numbers == [9])
    }

    @Test("insert(clamping:) keeps to the ends, a slice's own too")
    func insert() {
        var numbers = [1, 2, 3][1...]
        numbers.insert(8, clamping: -4)
        numbers.insert(9, clamping: 40)
        #expect(numbers == [8, 2, 3, 9])
    }

    @Test("A text removes and inserts too")
    func text() {
        var text = "moon"
        #expect(text.remove("o" as Character) == "o")
        text.insert("!", clamping: text.endIndex)
        #expect(text == "mon!")
    }

    @Test("Finding compares up to the first occurrence, moving compares no more")
    func comparisons() {
        let tally = Counted.Tally()
        var row = Counted.row(0..<100, tally)
        row.move(row[9], to: 99)
        #expect(tally.comparisons == 10)
        row.move(from: 0, to: 99)
        #expect(tally.comparisons == 10)
        row.replace(row[4], with: Counted(value: 500, tally: tally))
        #expect(tally.comparisons == 15)
        row.remove(row[4])
        #expect(tally.comparisons == 20)
    }

    @Test("Generated: moving is removing and inserting at the clamped place", arguments: 0..<400)
    func moving(seed: Int) {
        var generator = Dice(seed: seed)
        let numbers = generator.numbers()
        let (source, destination) = (generator.index(), generator.index())

        var moved = numbers
        var expected = numbers
        if let element = expected.remove(safe: source) {
            expected.insert(element, at: max(0, min(destination, expected.count)))
        }
        #expect(moved.move(from: source, to: destination) == numbers.indices.contains(source))
        #expect(moved == expected)
        #expect(moved.sorted() == numbers.sorted())

        // Back again, it is as it was.
        if numbers.indices.contains(source) {
            moved.move(from: max(0, min(destination, numbers.count - 1)), to: source)
            #expect(moved == numbers)
        }
    }

    @Test("Generated: what is inserted is there, and removing it undoes it", arguments: 0..<300)
    func inserting(seed: Int) {
        var generator = Dice(seed: seed)
        let numbers = generator.numbers()
        let place = generator.index()
        var changed = numbers
        changed.insert(99, clamping: place)
        #expect(changed[safe: max(0, min(place, numbers.count))] == 99)
        #expect(changed.remove(99) == 99)
        #expect(changed == numbers)
    }

    @Test("Generated: removing or replacing by value touches the first occurrence alone", arguments: 0..<300)
    func first(seed: Int) {
        var generator = Dice(seed: seed)
        let numbers = generator.numbers()
        let element = Int.random(in: 0...5, using: &generator)
        let place = numbers.firstIndex(of: element)

        var removed = numbers
        #expect(removed.remove(element) == place.map { numbers[$0] })
        #expect(removed == numbers.enumerated().filter { $0.offset != place }.map(\.element))

        var replaced = numbers
        #expect(replaced.replace(element, with: 99) == place.map { numbers[$0] })
        #expect(replaced == numbers.enumerated().map { $0.offset == place ? 99 : $0.element })
    }
}
