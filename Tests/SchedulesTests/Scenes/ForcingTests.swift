import Streams
import Testing

/// Tests that forced schedules find races and deadlocks, and report nothing else.
extension Schedules {
    @Suite("Self-test of forced schedules") struct ForcingTests {
        private static func count(isSafe: Bool) -> (Stage) -> Void {
            { stage in
                let box = Shared(0)
                let lock = Lock(0)
                for _ in 0..<2 {
                    stage.thread {
                        if isSafe {
                            lock.withLock { $0 += 1 }
                        } else {
                            SwitchPoint.reached()
                            let seen = box.value
                            SwitchPoint.reached()
                            box.value = seen + 1
                        }
                    }
                }
                stage.afterwards { $0.expect(isSafe ? lock.withLock { $0 } : box.value, is: 2, "count") }
            }
        }

        @Test("A counter that two threads change without a lock loses a change, in a schedule with one preemption")
        func lostUpdate() {
            let (problems, schedule, _) = firstProblems(2, 100, Self.count(isSafe: false))
            #expect(problems == ["count: expected 2, got 1"])
            #expect(schedule?.choices.count { $0 > 0 } == 1)
        }

        @Test("A counter behind a lock loses no change")
        func safe() { #expect(firstProblems(3, 1_000, Self.count(isSafe: true)).0 == []) }

        @Test("Two locks that are taken in different orders are reported as a deadlock")
        func deadlock() {
            let (problems, _, _) = firstProblems(2, 100) { stage in
                let locks = Shared((Guard(), Guard()))
                stage.thread { locks.value.0.lock.withLock { _ in locks.value.1.lock.withLock { _ in } } }
                stage.thread { locks.value.1.lock.withLock { _ in locks.value.0.lock.withLock { _ in } } }
            }
            #expect(problems == ["every thread waits for another"])
        }

        @Test("Blocked threads do not disturb later runs")
        func afterDeadlock() {
            for _ in 0..<50 {
                deadlock()
                #expect(firstProblems(1, 10, Self.count(isSafe: true)).0 == [])
            }
        }

        @Test("Every order of two threads with three steps is played")
        func complete() {
            var orders: [String] = []
            let (problems, _, count) = firstProblems(6, 1_000) { stage in
                let order = Shared("")
                for name in ["a", "b"] {
                    stage.thread {
                        for _ in 0..<3 {
                            SwitchPoint.reached()
                            order.value += name
                        }
                    }
                }
                stage.afterwards { _ in orders.append(order.value) }
            }
            #expect(problems == [])
            #expect(count >= 20)
            #expect(Set(orders).count == 20)
        }

        private final class Guard: Sendable { let lock = Lock(()) }
    }
}
