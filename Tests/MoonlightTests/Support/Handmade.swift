import MoonlightTestSupport
import Streams

/// A publisher whose handling of its subscriber is the test's closure, on any thread.
struct Handmade<Output: Sendable>: Publisher, Sendable {
    typealias Failure = Never

    let attach: @Sendable (AnySubscriber<Output, Never>) -> Void

    init(_ attach: @escaping @Sendable (AnySubscriber<Output, Never>) -> Void) { self.attach = attach }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        attach(AnySubscriber(subscriber))
    }
}

/// A subscriber that requests values only when the test says so.
final class Asker<Input: Sendable>: Subscriber, @unchecked Sendable {
    // Sound: the subscription is set once, during `subscribe`, before the test requests values.
    typealias Failure = Never

    let seen = Recorder<Input>()
    let completions = Counter()
    private let onValue: @Sendable (Input) -> Void
    private var subscription: (any Subscription)?

    init(onValue: @escaping @Sendable (Input) -> Void = { _ in }) { self.onValue = onValue }

    func ask(for demand: Subscribers.Demand) { subscription?.request(demand) }

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: Input) -> Subscribers.Demand {
        seen.append(input)
        onValue(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) { completions.add() }
}
