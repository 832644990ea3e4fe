import MoonlightTestSupport
import Testing

@testable import Streams

@Suite("BoundedNesting")
struct BoundedNestingTests {
    @Test("Work that is nested too deep runs when everything around it has returned")
    func tooDeep() {
        let (limit, log) = (BoundedNesting.limit, Log<Int>())
        func nest(_ number: Int) {
            BoundedNesting.run {
                log.append(number)
                if number < limit + 2 { nest(number + 1) }
                log.append(-number)
            }
        }
        nest(1)
        let nested = Array(1...limit) + (1...limit).reversed().map { -$0 }
        expectEqual(log.items, nested + [limit + 1, limit + 2, -(limit + 2), -(limit + 1)])
    }

    @Test("Work that is nested too deep at several places runs in the order in which it was added")
    func severalTooDeep() {
        let log = Log<Int>()
        func nest(_ depth: Int) {
            guard depth < BoundedNesting.limit else {
                for number in 1...3 { BoundedNesting.run { log.append(number) } }
                return log.append(0)
            }
            BoundedNesting.run { nest(depth + 1) }
        }
        nest(0)
        expectEqual(log.items, [0, 1, 2, 3])
    }
}
