import Moonlight
import MoonlightTestSupport
import Testing

@testable import MoonlightRecording

@Suite("Recording: pending entries")
struct EntryRingTests {
    private typealias Ring = EntryRing<Int, Int, Int>

    private func effect(_ number: Int) -> RecordingEntry<Int, Int, Int> {
        .journal(JournalRecord(number: number, effect: number, before: number - 1, after: number))
    }

    private func numbers(_ taken: Ring.Taken) -> [Int] {
        var numbers: [Int] = []
        // swift-format-ignore: ReplaceForEachWithForLoop
        taken.forEach { numbers.append($0.stateAfter ?? -1) }
        return numbers
    }

    @Test("Entries are taken in order")
    func order() {
        var ring = Ring(capacity: 3)
        for number in 1...3 { expect(ring.add(effect(number)) == nil) }
        let taken = ring.take(leaving: [])
        expectEqual(numbers(taken), [1, 2, 3])
        expect(taken.lost == 0 && taken.stateOfLost == nil)
        expectEqual(numbers(ring.take(leaving: [])), [])
    }

    @Test("A full ring replaces and counts its oldest entries, and has the state after the last of them")
    func full() {
        var ring = Ring(capacity: 3)
        for number in 1...3 { _ = ring.add(effect(number)) }
        let first = ring.add(effect(4))
        expect(first?.entry.stateAfter == 1 && first?.state == nil)
        let second = ring.add(effect(5))
        expect(second?.entry.stateAfter == 2 && second?.state == 1)
        let taken = ring.take(leaving: [])
        expectEqual(numbers(taken), [3, 4, 5])
        expect(taken.lost == 2 && taken.stateOfLost == 2)
        for number in 6...12 { _ = ring.add(effect(number)) }
        let later = ring.take(leaving: [])
        expectEqual(numbers(later), [10, 11, 12])
        expect(later.lost == 4 && later.stateOfLost == 9)
    }

    @Test("The lost beginning of a loop is not counted as a step, but its state is kept; a lost timer leaves no state")
    func others() {
        var ring = Ring(capacity: 2)
        _ = ring.add(.begin(LoopBeginning(7, at: .now)))
        _ = ring.add(.world(WorldEntry(id: 1, what: .fired, cause: nil, time: .now)))
        _ = ring.add(effect(8))
        _ = ring.add(effect(9))
        let taken = ring.take(leaving: [])
        expect(taken.lost == 1 && taken.stateOfLost == 7)
        expectEqual(numbers(taken), [8, 9])
    }

    @Test("An enlarged ring continues after its newest entry, and a reduced one keeps its entries")
    func capacity() {
        var ring = Ring(capacity: 3)
        for number in 1...4 { _ = ring.add(effect(number)) }
        ring.capacity = 5
        for number in 5...6 { expect(ring.add(effect(number)) == nil) }
        expectEqual(ring.add(effect(7))?.entry.stateAfter, 2)
        expectEqual(numbers(ring.take(leaving: [])), [3, 4, 5, 6, 7])
        let queue = EntryQueue<Int, Int, Int>(capacity: 3)
        for number in 1...3 { _ = queue.add(effect(number)) }
        queue.bound(to: 1)
        _ = queue.add(effect(4))
        let taken = queue.take(leaving: [])
        expectEqual(numbers(taken), [2, 3, 4])
        queue.bound(to: 1)
        for number in 5...6 { _ = queue.add(effect(number)) }
        expectEqual(numbers(queue.take(leaving: [])), [6])
        queue.bound(to: 0)
        for number in 7...8 { _ = queue.add(effect(number)) }
        expectEqual(numbers(queue.take(leaving: [])), [8])
    }

    @Test("Only the first entry after entries were taken asks for the next reading")
    func asking() {
        let queue = EntryQueue<Int, Int, Int>(capacity: 3)
        expect(queue.add(effect(1)))
        expect(!queue.add(effect(2)))
        _ = queue.take(leaving: [])
        expect(queue.add(effect(3)))
        expect(!queue.add(effect(4)))
    }

    @Test("The storage of taken entries is reused, unless it is much too large")
    func storage() {
        var ring = Ring(capacity: 10_000)
        for number in 0..<2_000 { _ = ring.add(effect(number)) }
        let storage = ring.take(leaving: []).storage()
        expect(storage.isEmpty && storage.capacity >= 2_000)
        let capacity = storage.capacity
        _ = ring.take(leaving: storage)
        for number in 0..<capacity / 16 { _ = ring.add(effect(number)) }
        let again = ring.take(leaving: []).storage()
        expect(again.isEmpty && again.capacity == capacity)
        _ = ring.take(leaving: again)
        _ = ring.add(effect(1))
        expect(ring.take(leaving: []).storage().capacity < 16)
    }
}
