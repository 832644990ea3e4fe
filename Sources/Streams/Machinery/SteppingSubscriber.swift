/// The decision of an operator about one value: it sends an output, skips the value and requests another, or finishes.
@usableFromInline enum Step<Output> {
    case send(Output)
    case skip
    case finish
}

/// An operator that makes a ``Step`` of each value: operators that skip values or finish before their upstream does, and the `try`
/// forms of operators that send as they receive. The closure that makes the steps may throw, and may keep state from one value to
/// the next, because it is formed anew for each subscription.
@usableFromInline
final class SteppingSubscriber<Input, Failure: Error, Thrown: Error, Downstream: Subscriber>:
    InterceptingSubscriber<Input, Failure, SteppingDownstream<Input, Thrown, Downstream>>, @unchecked Sendable
{
    // Sound: as the base class says.
    /// Makes use before the subscription trap. Otherwise values and completions are ignored then.
    @usableFromInline let isStrict: Bool

    @inlinable init(
        _ downstream: Downstream, named name: StaticString, isStrict: Bool,
        step: @escaping (Input) throws(Thrown) -> Step<Downstream.Input>
    ) {
        self.isStrict = isStrict
        super.init(SteppingDownstream(downstream: downstream, step: step), named: name)
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
                switch try holder.downstream.step(input) {
                case .send(let value): demand = holder.downstream.downstream.receive(value)
                case .skip: demand = .max(1)
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

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
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

extension Publisher {
    /// Subscribes a ``SteppingSubscriber``.
    ///
    /// - Parameters:
    ///   - subscriber: Receives the outputs of `step`.
    ///   - name: The description of the subscription.
    ///   - isStrict: Whether use before the subscription traps.
    ///   - step: Makes a step of a value. It belongs to this subscription, so it may keep state. The errors that it throws, and
    ///     those of this publisher, must be of the subscriber's failure type or convert to it.
    @inlinable @inline(__always) func step<Thrown: Error, S: Subscriber>(
        into subscriber: S, as name: StaticString, isStrict: Bool = true,
        _ step: @escaping (Output) throws(Thrown) -> Step<S.Input>
    ) { subscribe(SteppingSubscriber<Output, Failure, Thrown, S>(subscriber, named: name, isStrict: isStrict, step: step)) }
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
