import MoonFoundation
import MoonlightTestSupport
import Testing

@Suite("Neighbours: next(after:) and previous(before:)")
struct NeighbourTests {
    @Test("next(after:) is the element after the first occurrence")
    func next() {
        #expect([1, 2, 3].next(after: 2) == 3)
        #expect([1, 2, 1, 3].next(after: 1) == 2)
        #expect("abc".next(after: "a") == "b")
    }

    @Test("next(after:) is nil at the end and when the element is absent")
    func nextAtTheEnd() {
        #expect([1, 2, 3].next(after: 3) == nil)
        #expect([1, 2, 3].next(after: 4) == nil)
        #expect([Int]().next(after: 1) == nil)
    }

    @Test("previous(before:) is the element before the first occurrence")
    func previous() {
        #expect([1, 2, 3].previous(before: 2) == 1)
        #expect([3, 1, 2, 1].previous(before: 1) == 3)
    }

    @Test("previous(before:) is nil at the start and when the element is absent")
    func previousAtTheStart() {
        #expect([1, 2, 3].previous(before: 1) == nil)
        #expect([1, 2, 3].previous(before: 4) == nil)
    }

    @Test("wrapping goes round both ends, but not to an absent element")
    func wrapping() {
        #expect([1, 2, 3].next(after: 3, wrapping: true) == 1)
        #expect([1, 2, 3].previous(before: 1, wrapping: true) == 3)
        #expect([1].next(after: 1, wrapping: true) == 1)
        #expect([1, 2, 3].next(after: 4, wrapping: true) == nil)
    }

    @Test("A slice has its own ends")
    func slice() {
        let slice = [0, 1, 2, 3][1..<3]
        #expect(slice.next(after: 2) == nil)
        #expect(slice.next(after: 2, wrapping: true) == 1)
        #expect(slice.previous(before: 1) == nil)
        #expect(slice.previous(before: 1, wrapping: true) == 2)
    }

    @Test("Both compare up to the first occurrence, and no further")
    func comparisons() {
        let tally = Counted.Tally()
        let row = Counted.row(0..<100, tally)
        _ = row.next(after: row[9])
        #expect(tally.comparisons == 10)
        _ = row.previous(before: row[9], wrapping: true)
        #expect(tally.comparisons == 20)
    }

    @Test("Generated: neighbours are what the list of pairs says", arguments: 0..<300)
    func pairs(seed: Int) {
        var generator = Dice(seed: seed)
        let numbers = generator.numbers()
        for element in 0...5 {
            let place = numbers.firstIndex(of: element)
            #expect(numbers.next(after: element) == place.flatMap { $0 + 1 < numbers.count ? numbers[$0 + 1] : nil })
            #expect(numbers.previous(before: element) == place.flatMap { $0 > 0 ? numbers[$0 - 1] : nil })
            #expect(numbers.next(after: element, wrapping: true) == place.map { numbers[($0 + 1) % numbers.count] })
            #expect(
                numbers.previous(before: element, wrapping: true)
                    == place.map { numbers[($0 + numbers.count - 1) % numbers.count] })
            // The one is the other, backwards, where an element comes but once.
            if numbers.filter({ $0 == element }).count == 1 {
                #expect(numbers.next(after: element) == Array(numbers.reversed()).previous(before: element))
            }
        }
    }
}
