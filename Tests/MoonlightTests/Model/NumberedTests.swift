import MoonlightTestSupport
import Testing

@testable import Moonlight

@Suite("Numbered elements")
struct NumberedTests {
    @Test("Elements are listed in the order in which they were added, and removed by number")
    func order() {
        var letters = Numbered<String>()
        let numbers = ["a", "b", "c"].map { letters.add($0) }
        expectEqual(letters.remove(numbers[1]), "b")
        expectEqual(letters.remove(numbers[1]), nil)
        _ = letters.add("d")
        expectEqual(letters.inOrder, ["a", "c", "d"])
    }

    @Test("A number is never used again")
    func numbers() {
        var letters = Numbered<String>()
        let first = letters.add("a")
        letters.remove(first)
        expect(letters.add("b") != first)
        expectEqual(letters.remove(first), nil)
    }

    @Test("The memory of a burst is released when its last element is removed")
    func burst() {
        var letters = Numbered<Int>()
        let numbers = (0..<1000).map { letters.add($0) }
        for number in numbers.dropLast() { letters.remove(number) }
        expect(letters.elements.capacity >= 1000)
        letters.remove(numbers[999])
        expectEqual(letters.elements.capacity, 0)
    }
}
