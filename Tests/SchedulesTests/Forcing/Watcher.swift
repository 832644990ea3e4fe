import MoonlightTestSupport
import Streams
import Testing

/// A subscriber that checks the contract: it records its inputs, and violations. Any thread of a scene may make it request or
/// cancel.
final class Watcher: Subscriber, Cancellable, @unchecked Sendable {
    // Sound: one thread of a scene runs at a time, and the director orders them.
    typealias Input = Int
    typealias Failure = Oops

    let name: String
    private let stage: Stage
    private let initial: Subscribers.Demand
    private let answer: (Int) -> Subscribers.Demand
    private var granted = Subscribers.Demand.none
    private var subscription: (any Subscription)?
    private var isBusy = false
    private var isCancelled = false
    private var hasSubscription = false
    /// The time at which `cancel()` had returned.
    private var cancelledAt: Int?
    private(set) var values: [Int] = []
    private(set) var late: [Int] = []
    private(set) var completions: [Subscribers.Completion<Oops>] = []
    var violations: [String] = []

    init(
        _ stage: Stage, named name: String = "the subscriber", asking initial: Subscribers.Demand = .unlimited,
        answer: @escaping (Int) -> Subscribers.Demand = { _ in .none }
    ) {
        self.name = name
        self.stage = stage
        self.initial = initial
        self.answer = answer
        stage.mustGo(self, name)
        stage.finally { [weak self] in self?.subscription = nil }
        stage.afterwards { [self] stage in for violation in violations { stage.fail("\(name) \(violation)") } }
    }

    func receive(subscription: any Subscription) {
        if hasSubscription { violations.append("got a second subscription") }
        hasSubscription = true
        during("the subscription") {
            if isCancelled { return subscription.cancel() }
            self.subscription = subscription
            granted += initial
            if initial != .none { subscription.request(initial) }
        }
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        if !hasSubscription { violations.append("got \(input) before the subscription") }
        if !completions.isEmpty { violations.append("got \(input) after the completion") }
        if granted == .none { violations.append("got \(input) without demand") }
        if granted != .unlimited { granted -= 1 }
        if cancelledAt != nil { late.append(input) }
        values.append(input)
        var more = Subscribers.Demand.none
        during("\(input)") {
            more = answer(input)
            granted += more
        }
        return more
    }

    func receive(completion: Subscribers.Completion<Oops>) {
        if !hasSubscription { violations.append("got a completion before the subscription") }
        if !completions.isEmpty { violations.append("got a second completion") }
        if cancelledAt != nil { lateCompletions += 1 }
        completions.append(completion)
        during("the completion") {}
        subscription = nil
    }

    private(set) var lateCompletions = 0

    /// Lets other threads run during a delivery; none of them may deliver, too.
    private func during(_ what: String, _ body: () -> Void) {
        if isBusy { violations.append("got \(what) during another delivery") }
        let wasBusy = isBusy
        // A request during the subscription may deliver, which is no overlap.
        isBusy = what != "the subscription"
        SwitchPoint.reached()
        body()
        SwitchPoint.reached()
        isBusy = wasBusy
    }

    func request(_ demand: Subscribers.Demand) {
        guard let subscription else { return }
        granted += demand
        subscription.request(demand)
    }

    func cancel() {
        isCancelled = true
        subscription.take()?.cancel()
        cancelledAt = cancelledAt ?? stage.now()
    }

    // MARK: Looking back

    /// Expects each of the values once, and those of each sender in order; the hundreds of a value identify its sender.
    func expectEach(of expected: [Int]) {
        if values.sorted() != expected.sorted() { stage.fail("\(name) expected each of \(expected), got \(values)") }
        expectSendersOrder()
    }

    func expectSendersOrder() {
        for sender in Set(values.map { $0 / 100 }) {
            let own = values.filter { $0 / 100 == sender }
            if own != own.sorted() { stage.fail("\(name) got a sender's values out of order: \(values)") }
        }
    }

    /// Expects exactly these values in this order.
    func expect(_ expected: [Int]) {
        if values != expected { stage.fail("\(name) expected \(expected), got \(values)") }
    }

    func expectCompletion(_ expected: Subscribers.Completion<Oops>? = .finished) {
        if completions != (expected.map { [$0] } ?? []) {
            stage.fail("\(name) expected the completion \(String(describing: expected)), got \(completions)")
        }
    }

    /// Expects that no delivery began after `cancel()` had returned, except one that had begun before.
    func expectQuietAfterCancelling() {
        if late.count + lateCompletions > 1 {
            stage.fail("\(name) got \(late) and \(lateCompletions) completions after cancel() had returned")
        }
    }
}

struct Oops: Error, Equatable {}

/// An object of a scene whose release is checked.
final class Token: Sendable {
    init(_ stage: Stage, _ name: String = "an object of a closure") { stage.mustGo(self, name) }
    /// Uses the token in a closure, and returns a value.
    func pass<Value>(_ value: Value) -> Value { value }
}

/// A variable that the threads of a scene share.
final class Shared<Value>: @unchecked Sendable {
    // Sound: one thread of a scene runs at a time, and the director orders them.
    var value: Value
    init(_ value: Value) { self.value = value }
}

/// All scenes, serialized, because there is one director.
@Suite("Forced schedules", .serialized) enum Schedules {}
