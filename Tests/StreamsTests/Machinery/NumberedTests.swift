import MoonlightTestSupport
import Testing

@testable import Streams

@Suite("Numbered elements")
struct NumberedTests {
    private var letters = Numbered<String>()

    @Test("Elements are listed in the order in which they were added, and removed by number")
    mutating func order() {
        let numbers = ["a", "b", "c"].map { letters.add($0) }
        expectEqual(letters.remove(numbers[1]), "b")
        expectEqual(letters.remove(numbers[1]), nil)
        letters.add("d")
        expectEqual(Array(letters), ["a", "c", "d"])
        expectEqual(letters.count, 3)
    }

    @Test("A number is never used again")
    mutating func numbers() {
        let first = letters.add("a")
        _ = letters.remove(first)
        expect(letters.add("b") != first)
        expectEqual(letters.remove(first), nil)
        expectEqual(Array(letters), ["b"])
    }

    @Test("The first element is that which was added first, and has not been removed")
    mutating func first() {
        expect(letters.first == nil)
        expectEqual(letters.popFirst(), nil)
        let numbers = ["a", "b", "c", "d"].map { letters.add($0) }
        _ = letters.remove(numbers[1])
        _ = letters.remove(numbers[0])
        expectEqual(letters.first?.element, "c")
        expectEqual(letters.first?.number, numbers[2])
        expectEqual([letters.popFirst(), letters.popFirst(), letters.popFirst()], ["c", "d", nil])
        expect(letters.isEmpty)
    }

    @Test("Elements can be given numbers, and the next number follows them")
    mutating func given() {
        letters.add("a", as: 3)
        letters.add("b", as: 7)
        expectEqual(letters.add("c"), 8)
        expectEqual(letters.remove(4), nil)
        expectEqual(letters.remove(7), "b")
        expectEqual(Array(letters), ["a", "c"])
    }

    @Test("Elements that are removed at random leave the others in order, and few empty places")
    func random() {
        var generator = Dice(seed: 1)
        var (numbered, array) = (Numbered<Int>(), [(number: Int, element: Int)]())
        for element in 0..<2000 {
            array.append((numbered.add(element), element))
            if let place = array.indices.randomElement(using: &generator), element % 3 > 0 {
                let (number, expected) = array.remove(at: place)
                expectEqual(numbered.remove(number), expected)
            }
            expect(numbered.places.count <= 2 * numbered.count + 16)
        }
        expectEqual(Array(numbered), array.map(\.element))
        expectEqual(numbered.first?.element, array.first?.element)
    }

    @Test(
        "Empty places are removed once there are more than 16, and more than there are elements",
        arguments: [(17, 1, 17), (18, 1, 18), (19, 1, 1), (50, 11, 16)])
    mutating func room(count: Int, staying: Int, places: Int) {
        let numbers = (0..<count).map { letters.add("\($0)") }
        for number in numbers.dropFirst(staying) { _ = letters.remove(number) }
        expectEqual(letters.places.count, places)
        expectEqual(Array(letters), (0..<staying).map { "\($0)" })
    }

    @Test("The memory of a burst is released when its last element is removed")
    func burst() {
        var numbers = Numbered<Int>()
        let all = (0..<1000).map { numbers.add($0) }
        expect(numbers.places.ring.count >= 1000)
        for number in all.reversed() { _ = numbers.remove(number) }
        expectEqual(numbers.places.ring.count, 0)
    }
}
