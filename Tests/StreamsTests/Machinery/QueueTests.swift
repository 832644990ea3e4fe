import Testing

@testable import Streams

@Suite("A queue in a ring")
struct QueueTests {
    @Test("it does what an array does at its ends, however it is turned and grown", arguments: [0, 1, 3])
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
                #expect(popped == array.removeFirst())
            }
            if number % 5 == 0, !array.isEmpty {
                let popped = queue.popLast()
                #expect(popped == array.removeLast())
            }
            #expect((-1...array.count).map { queue[$0] } == [nil] + array + [nil])
            #expect(queue.count == array.count)
            #expect(queue.isEmpty == array.isEmpty)
        }
    }

    @Test("one that is empty has nothing to take")
    func empty() {
        var queue = Queue<Int>()
        let (first, last) = (queue.popFirst(), queue.popLast())
        #expect(first == nil)
        #expect(last == nil)
        #expect(queue.count == 0)
    }

    @Test("an element is released when it is taken")
    func released() {
        var queue = Queue<Token>()
        weak var token: Token?
        do {
            let first = Token()
            token = first
            queue.append(first)
            queue.append(Token())
        }
        #expect(token != nil)
        _ = queue.popFirst()
        #expect(token == nil)
    }

    @Test(
        "the memory of a burst is given back when the queue is empty, taken from either end; a little is kept",
        arguments: [false, true])
    func shrinking(fromTheEnd: Bool) {
        for (count, ring) in [(100, 128), (1000, 0)] {
            var queue = Queue<Int>()
            for number in 0..<count { queue.append(number) }
            for _ in 0..<count { _ = fromTheEnd ? queue.popLast() : queue.popFirst() }
            #expect(queue.ring.count == ring)
            queue.append(7)
            #expect(queue[0] == 7)
        }
    }
}
