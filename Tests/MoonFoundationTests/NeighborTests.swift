import MoonFoundation
import MoonlightTestSupport
import Testing

@Suite("Neighbors: next(after:) and previous(before:)")
struct NeighborTests {
    @Test("`next(after:)` is the element after the first occurrence")
    func next() {
        expectEqual([1, 2, 3].next(after: 2), 3)
        expectEqual([1, 2, 1, 3].next(after: 1), 2)
        expectEqual("abc".next(after: "a"), "b")
    }

    @Test("`next(after:)` is nil at the end and when the element is absent")
    func nextAtTheEnd() {
        expect([1, 2, 3].next(after: 3) == nil)
        expect([1, 2, 3].next(after: 4) == nil)
        expect([Int]().next(after: 1) == nil)
    }

    @Test("`previous(before:)` is the element before the first occurrence")
    func previous() {
        expectEqual([1, 2, 3].previous(before: 2), 1)
        expectEqual([3, 1, 2, 1].previous(before: 1), 3)
    }

    @Test("`previous(before:)` is nil at the start and when the element is absent")
    func previousAtTheStart() {
        expect([1, 2, 3].previous(before: 1) == nil)
        expect([1, 2, 3].previous(before: 4) == nil)
    }

    @Test("With `wrapping`, neighbors continue at the other end, and an absent element has none")
    func wrapping() {
        expectEqual([1, 2, 3].next(after: 3, wrapping: true), 1)
        expectEqual([1, 2, 3].previous(before: 1, wrapping: true), 3)
        expectEqual([1].next(after: 1, wrapping: true), 1)
        expect([1, 2, 3].next(after: 4, wrapping: true) == nil)
    }

    @Test("Neighbors in a slice end at the ends of the slice")
    func slice() {
        let slice = [0, 1, 2, 3][1..<3]
        expect(slice.next(after: 2) == nil)
        expectEqual(slice.next(after: 2, wrapping: true), 1)
        expect(slice.previous(before: 1) == nil)
        expectEqual(slice.previous(before: 1, wrapping: true), 2)
    }

    @Test("`next(after:)` and `previous(before:)` compare up to the first occurrence, and no further")
    func comparisons() {
        let tally = Counted.Tally()
        let row = Counted.row(0..<100, tally)
        _ = row.next(after: row[9])
        expectEqual(tally.comparisons, 10)
        _ = row.previous(before: row[9], wrapping: true)
        expectEqual(tally.comparisons, 20)
    }

    @Test("Generated: neighbors equal those found by index", arguments: Budget.seeds(300, least: 30))
    func pairs(seed: Int) {
        var generator = Dice(seed: seed)
        let numbers = generator.numbers()
        for element in 0...5 {
            let place = numbers.firstIndex(of: element)
            expectEqual(numbers.next(after: element), place.flatMap { $0 + 1 < numbers.count ? numbers[$0 + 1] : nil })
            expectEqual(numbers.previous(before: element), place.flatMap { $0 > 0 ? numbers[$0 - 1] : nil })
            expectEqual(numbers.next(after: element, wrapping: true), place.map { numbers[($0 + 1) % numbers.count] })
            expectEqual(
                numbers.previous(before: element, wrapping: true), place.map { numbers[($0 + numbers.count - 1) % numbers.count] }
            )
            // For a unique element, `previous` is `next` in the reversed list.
            if numbers.filter({ $0 == element }).count == 1 {
                expectEqual(numbers.next(after: element), Array(numbers.reversed()).previous(before: element))
            }
        }
    }
}
