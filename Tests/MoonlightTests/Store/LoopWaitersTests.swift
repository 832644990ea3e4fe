import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

@Suite("Loop waiters: callers that wait for a loop")
struct LoopWaitersTests {
    private var waiters = LoopWaiters()
    private let quiet = Settlement.Outcome(endsWhenQuiet: true)
    private let event = Settlement.Outcome()

    @Test("The waits for quiet are listed without the waits for events")
    mutating func quietWaits() {
        _ = waiters.add(quiet)
        _ = waiters.add(event)
        expect(waiters.quiet.elementsEqual([quiet], by: ===))
    }

    @Test("A caller that has stopped waiting is not among those that wait")
    mutating func leaving() {
        let number = waiters.add(quiet) ?? 0
        let removed = waiters.remove(number)
        let again = waiters.remove(number)
        expect(removed === quiet)
        expect(again == nil)
        expect(waiters.quiet.isEmpty)
    }

    @Test("The end returns all that wait and keeps the last state; nobody waits after it")
    mutating func end() {
        _ = waiters.add(quiet)
        _ = waiters.add(event)
        waiters.keep(UncheckedTransfer(3))
        let ended = waiters.end()
        expectEqual(ended.count, 2)
        expect(waiters.outcomes.isEmpty)
        let number = waiters.add(event)
        expect(number == nil)
        expectEqual((waiters.last as? UncheckedTransfer<Int>)?.value, 3)
    }

    @Test("A cancelled call of `quiet` retains nothing while an effect is live")
    func cancelled() async {
        let effects = PassthroughSubject<String, Never>()
        let store = scriptStore()
        store.post(.stream("a") { effects.eraseToAnyPublisher() })
        for _ in 0..<3 {
            let waiting = Task { await store.quiet() }
            waiting.cancel()
            await waiting.value
        }
        expect(store.context.waiters.withLock { $0.outcomes.isEmpty })
    }
}
