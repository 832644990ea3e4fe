import Streams
import Synchronization

/// A subscriber that several threads request from and cancel, and that checks the rules.
final class ConcurrentObserver: Subscriber, Sendable {
    typealias Input = Int
    typealias Failure = Oops

    /// The state that threads access concurrently.
    private let asked: Atomic<Int>
    private let isReceiving = Atomic<Bool>(false)
    private let isCancelled = Atomic<Bool>(false)
    private let received = Atomic<Int>(0)
    private let ended = Atomic<Int>(0)
    /// The number of deliveries that began after `cancel()` had returned.
    private let late = Atomic<Int>(0)
    private let guarded = Lock(Record())

    private struct Record: @unchecked Sendable {
        // Sound: behind the lock.
        var subscription: (any Subscription)?
        var values: [Int] = []
        var ends: [End] = []
        var violations: [String] = []
    }

    init(demand: Int) { asked = Atomic(demand) }

    var values: [Int] { guarded.withLock { $0.values } }
    var ends: [End] { guarded.withLock { $0.ends } }
    var violations: [String] { guarded.withLock { $0.violations } }
    var count: Int { received.load(ordering: .sequentiallyConsistent) }
    var hasEnded: Bool { ended.load(ordering: .sequentiallyConsistent) > 0 }

    private var subscription: (any Subscription)? { guarded.withLock { Carrier($0.subscription) }.value }

    func request(_ count: Int) {
        precondition(count < .everything, "unlimited demand is for the start")
        if asked.load(ordering: .sequentiallyConsistent) != .everything {
            asked.wrappingAdd(count, ordering: .sequentiallyConsistent)
        }
        subscription?.request(.max(count))
    }

    func cancel() {
        subscription?.cancel()
        isCancelled.store(true, ordering: .sequentiallyConsistent)
    }

    func receive(subscription: any Subscription) {
        let carrier = Carrier(subscription)
        let isFirst = guarded.withLock { record in
            defer { record.subscription = carrier.value }
            return record.subscription == nil
        }
        guard isFirst else { return violate("a second subscription") }
        let demand = asked.load(ordering: .sequentiallyConsistent)
        if demand > 0 { subscription.request(demand == .everything ? .unlimited : .max(demand)) }
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        begin("\(input)")
        // Counted before the demand is read, since requests only increase it.
        let count = received.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
        if count > asked.load(ordering: .sequentiallyConsistent) { violate("\(input), which was not asked for") }
        guarded.withLock { $0.values.append(input) }
        // Time for other threads to break a rule. Not at each value, because that takes long on a busy machine.
        if count % 11 == 3 { yieldThread() }
        isReceiving.store(false, ordering: .sequentiallyConsistent)
        return .none
    }

    func receive(completion: Subscribers.Completion<Oops>) {
        begin("\(completion)")
        guarded.withLock { $0.ends.append(completion.error.map { .failed($0) } ?? .finished) }
        yieldThread()
        isReceiving.store(false, ordering: .sequentiallyConsistent)
        ended.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }

    private func begin(_ what: @autoclosure () -> String) {
        // One delivery may have begun in the operator before `cancel()` returned. A second one must not follow.
        if isCancelled.load(ordering: .sequentiallyConsistent),
            late.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue > 1
        {
            violate("\(what()) after cancel() had returned")
        }
        if isReceiving.exchange(true, ordering: .sequentiallyConsistent) { violate("\(what()) during a delivery") }
        if ended.load(ordering: .sequentiallyConsistent) > 0 { violate("\(what()) after the end") }
    }

    private func violate(_ what: String) { guarded.withLock { $0.violations.append(what) } }
}
