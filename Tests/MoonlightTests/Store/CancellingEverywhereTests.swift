import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// Counts the loop's calls of user code, and cancels the store at one of them.
private final class Steps: Sendable {
    private let calls = Counter()
    private let late = Recorder<String>()
    private let target: Int
    private let store = Lock<ScriptStore?>(nil)
    private let isCancelled = Lock(false)

    init(cancelAt target: Int) { self.target = target }

    var count: Int { calls.value }
    var lateCalls: [String] { late.all }

    func watch(_ store: ScriptStore?) { self.store.withLock { $0 = store } }

    /// - Parameter isOfTheEnd: Whether the call reports the end, and may come after it.
    func step(_ what: String, isOfTheEnd: Bool = false) {
        if !isOfTheEnd, isCancelled.withLock({ $0 }) { late.append(what) }
        guard calls.add() == target, let store = store.withLock({ $0 }) else { return }
        store.cancel()
        isCancelled.withLock { $0 = true }
    }
}

@Suite("Cancellation of a store at every possible step")
struct CancellingEverywhereTests {
    /// Runs a store through events, ready and later effects, jobs of each policy, feedback and a journal.
    ///
    /// - Returns: The number of calls, the number of calls after the end, and the objects that are still alive.
    private static func run(cancelAt target: Int) -> (calls: Int, late: [String], jobs: Int, left: [String]) {
        let (steps, census) = (Steps(cancelAt: target), Census())
        let gates = JobPolicy.all.map { ($0, PassthroughSubject<String, Never>()) }
        func stream(_ gate: PassthroughSubject<String, Never>, _ policy: JobPolicy) -> ScriptEvent {
            let token = Token("stream", in: census)
            return .stream("\(policy)") {
                steps.step("transform")
                return Deferred {
                    steps.step("subscription")
                    return gate.prepend("ready")
                }.map { word in
                    token.touch()
                    steps.step("map")
                    return word
                }.job("\(policy)", policy).append("after").eraseToAnyPublisher()
            }
        }
        var store: ScriptStore? = scriptStore(
            ScriptOptions(journal: { steps.step("\($0)", isOfTheEnd: Self.isOfTheEnd($0)) })
        ) {
            states in
            [
                states.map(\.count).filter { $0.isMultiple(of: 3) }.map { count in
                    steps.step("feedback")
                    return .words(["answer \(count)"])
                }.prefix(5).eraseToAnyPublisher()
            ]
        }
        steps.watch(store)
        let observer = store?.states.dropFirst().sink { _ in steps.step("observer") }
        for (policy, gate) in gates {
            store?.send(stream(gate, policy))
            store?.send(stream(gate, policy))
            gate.send("later")
        }
        store?.send(.stream("ready") { Just("ready").job("ready").eraseToAnyPublisher() })
        store?.send(.stream("cancel") { .cancelJob("merge") })
        for (_, gate) in gates { gate.send(completion: .finished) }
        store?.send(.refused)
        let jobs = store?.jobs.count ?? 0
        steps.watch(nil)
        store?.cancel()
        store = nil
        withExtendedLifetime(observer) {}
        return (steps.count, steps.lateCalls, jobs, census.alive)
    }

    /// Returns whether a record is that of the end, or of a job that the end has cancelled.
    private static func isOfTheEnd(_ record: JournalRecord<[String], ScriptEvent, String>) -> Bool {
        switch record.step {
        case .ended: true
        case .job(let job): job.step == .cancelled
        default: false
        }
    }

    @Test("A store that is cancelled at any step calls nothing afterwards, has no jobs, and releases everything")
    func everywhere() {
        let all = Self.run(cancelAt: 0)
        expect(all.calls > 80)
        expectEqual(all.left, [])
        for target in Budget.sample(Array(1...all.calls), least: 20) {
            let outcome = Self.run(cancelAt: target)
            expectEqual(outcome.late, [], "cancelled at \(target)")
            expectEqual(outcome.jobs, 0, "cancelled at \(target)")
            expectEqual(outcome.left, [], "cancelled at \(target)")
        }
    }
}
