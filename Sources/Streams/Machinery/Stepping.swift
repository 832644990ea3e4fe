/// The decision of an operator about one value: it sends an output, skips the value and requests another, sends the last output, or
/// finishes.
@usableFromInline enum Step<Output> {
    case send(Output)
    case skip
    case last(Output)
    case finish
}

extension Publishers {
    /// A publisher that makes a step of each value: it sends an output, skips the value, or finishes.
    ///
    /// The operators that skip values or finish before their upstream does are of this type, and so are the `try` forms of those that
    /// send as they receive.
    public struct Stepping<Upstream: Publisher, Output, Thrown: Error, Failure: Error>: Operator {
        @usableFromInline package let upstream: Upstream
        @usableFromInline let name: StaticString
        @usableFromInline let isStrict: Bool
        @usableFromInline let isOver: Bool
        /// Returns the closure of one subscription, which may keep state.
        @usableFromInline let begin: @Sendable () -> (Upstream.Output) throws(Thrown) -> Step<Output>

        /// Creates an operator. The errors of the closure and of the upstream must be of the failure type, or convert to it.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - name: The description of the subscription.
        ///   - isStrict: Whether use before the subscription traps.
        ///   - isOver: Whether it cancels the upstream and finishes on subscription.
        ///   - begin: Returns the closure of one subscription, which may keep state.
        @inlinable init(
            _ upstream: Upstream, named name: StaticString, isStrict: Bool = true, isOver: Bool = false,
            begin: @escaping @Sendable () -> (Upstream.Output) throws(Thrown) -> Step<Output>
        ) {
            self.upstream = upstream
            self.name = name
            self.isStrict = isStrict
            self.isOver = isOver
            self.begin = begin
        }

        @inlinable @inline(__always) package func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
            upstream.subscribe(
                SteppingSubscriber<Upstream.Output, Upstream.Failure, Thrown, S>(
                    subscriber, named: name, isStrict: isStrict, isOver: isOver, step: begin()))
        }
    }
}

extension Publishers.Stepping: Sendable where Upstream: Sendable {}

/// An operator that makes a ``Step`` of each value. The closure that makes the steps may throw, and may keep state from one value to
/// the next, because it is formed anew for each subscription.
@usableFromInline
final class SteppingSubscriber<Input, Failure: Error, Thrown: Error, Downstream: Subscriber>:
    InterceptingSubscriber<Input, Failure, SteppingDownstream<Input, Thrown, Downstream>>, @unchecked Sendable
{
    // Sound: as the base class says.
    /// Makes use before the subscription trap. Otherwise values and completions are ignored then.
    @usableFromInline let isStrict: Bool
    @usableFromInline let isOver: Bool

    @inlinable init(
        _ downstream: Downstream, named name: StaticString, isStrict: Bool, isOver: Bool,
        step: @escaping (Input) throws(Thrown) -> Step<Downstream.Input>
    ) {
        self.isStrict = isStrict
        self.isOver = isOver
        super.init(SteppingDownstream(downstream: downstream, step: step), named: name)
    }

    @inlinable override func receive(subscription: any Subscription) {
        guard isOver else { return super.receive(subscription: subscription) }
        // Cancels the upstream before the downstream can request anything.
        guard inlet.fill(subscription) else { return }
        inlet.cancel()
        outlet.send(subscription: self)
        outlet.finish(.finished)
    }

    @inlinable override func receive(_ input: Input) -> Subscribers.Demand {
        if !isSubscribed {
            if isStrict { requireSubscription() }
            return .none
        }
        var end: Subscribers.Completion<Downstream.Failure>?
        var demand = Subscribers.Demand.none
        outlet.borrow { holder in
            do throws(Thrown) {
                switch try holder.value.step(input) {
                case .send(let value): demand = holder.value.downstream.receive(value)
                case .skip: demand = .max(1)
                case .last(let value):
                    demand = holder.value.downstream.receive(value)
                    end = .finished
                case .finish: end = .finished
                }
            } catch { end = .failure(convert(error)) }
        }
        if let end { finish(end) }
        return demand
    }

    @inlinable override func receive(completion: Subscribers.Completion<Failure>) {
        if isStrict { requireSubscription() }
        if isSubscribed { super.receive(completion: completion) }
    }

    override func request(_ demand: Subscribers.Demand) {
        if isStrict { requireSubscription() }
        demand.requireSome()
        inlet.request(demand)
    }
}

/// The downstream, stored together with the closure, so that both are released in one step.
@usableFromInline struct SteppingDownstream<Input, Thrown: Error, Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let step: (Input) throws(Thrown) -> Step<Downstream.Input>

    @inlinable init(downstream: Downstream, step: @escaping (Input) throws(Thrown) -> Step<Downstream.Input>) {
        self.downstream = downstream
        self.step = step
    }

    /// Not used: the operator calls `step` itself.
    @usableFromInline func receive(_ input: Input) -> Subscribers.Demand { .none }
}

/// Returns an error as another error type. The types of the operator guarantee that this is the same type or `any Error`;
/// otherwise traps.
@inlinable @inline(__always) func convert<From: Error, To: Error>(_ error: From, to: To.Type = To.self) -> To { error as! To }

extension Subscribers.Completion {
    /// Returns this completion with another error type; see `convert(_:to:)`.
    @inlinable @inline(__always) func converted<To: Error>(to: To.Type = To.self) -> Subscribers.Completion<To> {
        switch self {
        case .finished: .finished
        case .failure(let error): .failure(convert(error))
        }
    }
}
