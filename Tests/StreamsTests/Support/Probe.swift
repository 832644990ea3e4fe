import Streams

/// The error of these tests.
enum Oops: Error, Equatable { case first, second }

/// An object whose release is checked; closures that must be released capture one.
final class Token: Sendable {
    func pass<Value>(_ value: Value) -> Value { value }
}

/// A thread-safe list.
final class Log<Element: Sendable>: Sendable {
    private let guarded = Lock<[Element]>([])

    var items: [Element] { guarded.withLock { $0 } }
    func append(_ item: Element) { guarded.withLock { $0.append(item) } }
}

/// A publisher that the test controls: it sends any events, valid or not, and records requests. Its subscriptions are of a type
/// from outside the module.
final class Probe<Output: Sendable, Failure: Error>: Publisher, Sendable {
    private let state = Lock(State())
    private let isDeaf: Bool

    private struct State: @unchecked Sendable {
        // Sound: behind the lock.
        var subscriber: AnySubscriber<Output, Failure>?
        weak var subscription: ProbeSubscription<Output, Failure>?
        var subscriptions = 0
        var requests: [Subscribers.Demand] = []
        var demand = Subscribers.Demand.none
        var cancellations = 0
    }

    /// - Parameter isDeaf: True if it continues to send after it was cancelled.
    init(isDeaf: Bool = false) { self.isDeaf = isDeaf }

    var subscriptions: Int { state.withLock { $0.subscriptions } }
    /// The requests, call by call.
    var requests: [Subscribers.Demand] { state.withLock { $0.requests } }
    /// The unserved demand: requested and returned, less the sent values.
    var demand: Subscribers.Demand { state.withLock { $0.demand } }
    var cancellations: Int { state.withLock { $0.cancellations } }
    /// Indicates whether the last subscription is still retained.
    var isSubscriptionAlive: Bool { state.withLock { $0.subscription != nil } }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let erased = Carrier(AnySubscriber(subscriber))
        let subscription = ProbeSubscription(self)
        state.withLock { state in
            state.subscriber = erased.value
            state.subscription = subscription
            state.subscriptions += 1
        }
        erased.value.receive(subscription: subscription)
    }

    func send(_ value: Output) {
        guard let subscriber = state.withLock({ Carrier($0.subscriber) }).value else { return }
        state.withLock { $0.demand -= 1 }
        let more = subscriber.receive(value)
        state.withLock { $0.demand += more }
    }

    /// Sends as many of the values as are requested.
    func sendOnDemand(_ values: [Output]) {
        for value in values where demand != .none { send(value) }
    }

    func send(completion: Subscribers.Completion<Failure>) {
        state.withLock { Carrier($0.subscriber) }.value?.receive(completion: completion)
        if !isDeaf { letGo() }
    }

    /// Sends a second subscription, which violates the grammar.
    func subscribeAgain() {
        state.withLock { Carrier($0.subscriber) }.value?.receive(subscription: ProbeSubscription(self))
    }

    fileprivate func requested(_ demand: Subscribers.Demand) {
        state.withLock { state in
            state.requests.append(demand)
            state.demand += demand
        }
    }

    fileprivate func cancelled() {
        state.withLock { $0.cancellations += 1 }
        if !isDeaf { letGo() }
    }

    private func letGo() {
        let subscriber = state.withLock { state in
            defer { state.subscriber = nil }
            return Carrier(state.subscriber)
        }
        _ = subscriber
    }
}

final class ProbeSubscription<Output: Sendable, Failure: Error>: Subscription, Sendable {
    private let probe: Probe<Output, Failure>
    init(_ probe: Probe<Output, Failure>) { self.probe = probe }
    func request(_ demand: Subscribers.Demand) { probe.requested(demand) }
    func cancel() { probe.cancelled() }
}

/// One of the two subjects, for tests that both must pass. A current value subject begins with 0.
final class AnySubject: Sendable {
    private let passthrough: PassthroughSubject<Int, Oops>?
    private let current: CurrentValueSubject<Int, Oops>?

    init(keepsCurrent: Bool) {
        passthrough = keepsCurrent ? nil : PassthroughSubject()
        current = keepsCurrent ? CurrentValueSubject(0) : nil
    }

    var publisher: AnyPublisher<Int, Oops> {
        passthrough?.eraseToAnyPublisher() ?? current?.eraseToAnyPublisher() ?? Empty().eraseToAnyPublisher()
    }

    func send(_ value: Int) {
        passthrough?.send(value)
        current?.send(value)
    }

    func send(completion: Subscribers.Completion<Oops>) {
        passthrough?.send(completion: completion)
        current?.send(completion: completion)
    }
}
