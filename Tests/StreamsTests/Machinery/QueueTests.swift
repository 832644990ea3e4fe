import MoonlightTestSupport
import Testing

@testable import Streams

@Suite("Queue: a ring buffer")
struct QueueTests {
    @Test("A queue behaves like an array at both ends, however it is rotated and grown", arguments: [0, 1, 3])
    func model(turns: Int) {
        var (queue, array) = (Queue<Int>(), [Int]())
        for _ in 0..<turns {
            queue.append(0)
            _ = queue.popFirst()
        }
        for number in 0..<200 {
            queue.append(number)
            array.append(number)
            if number % 3 == 0 {
                let popped = queue.popFirst()
                expectEqual(popped, array.removeFirst())
            }
            if number % 5 == 0, !array.isEmpty {
                let popped = queue.popLast()
                expectEqual(popped, array.removeLast())
            }
            expectEqual((-1...array.count).map { queue[$0] }, [nil] + array + [nil])
            expectEqual(queue.count, array.count)
            expectEqual(queue.isEmpty, array.isEmpty)
        }
    }

    @Test("An empty queue returns nil")
    func empty() {
        var queue = Queue<Int>()
        let (first, last) = (queue.popFirst(), queue.popLast())
        expect(first == nil)
        expect(last == nil)
        expectEqual(queue.count, 0)
    }

    @Test("A queue releases an element when it is taken")
    func released() {
        var queue = Queue<Token>()
        weak var token: Token?
        do {
            let first = Token()
            token = first
            queue.append(first)
            queue.append(Token())
        }
        expect(token != nil)
        _ = queue.popFirst()
        expect(token == nil)
    }

    @Test(
        "A queue that is emptied from either end releases the memory of a burst, except for a little",
        arguments: [false, true])
    func shrinking(fromTheEnd: Bool) {
        for (count, ring) in [(100, 128), (1000, 0)] {
            var queue = Queue<Int>()
            for number in 0..<count { queue.append(number) }
            for _ in 0..<count { _ = fromTheEnd ? queue.popLast() : queue.popFirst() }
            expectEqual(queue.ring.count, ring)
            queue.append(7)
            expectEqual(queue[0], 7)
        }
    }
}
