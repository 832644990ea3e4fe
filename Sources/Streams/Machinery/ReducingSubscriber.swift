/// An operator that takes all values of its upstream, or as many as it needs, and sends one result at the end.
@usableFromInline
final class ReducingSubscriber<Input, Failure: Error, Thrown: Error, Downstream: Subscriber>:
    DeliverySubscription<ReducingDownstream<Input, Thrown, Downstream>>, Subscriber, @unchecked Sendable
{
    // Sound: as the base class says, and the inlet guards itself.
    @usableFromInline let inlet = Inlet()

    @inlinable init(
        _ downstream: Downstream, named name: String, _ initial: Downstream.Input?,
        step: @escaping (inout Downstream.Input?, Input) throws(Thrown) -> Bool
    ) { super.init(ReducingDownstream(downstream: downstream, result: OperatorState(initial), step: step), named: name) }

    @inlinable func receive(subscription: any Subscription) {
        guard inlet.fill(subscription) else { return }
        start()
        inlet.request(.unlimited)
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        if inlet.isEnded { return .none }
        var isDone = false
        var failure: Downstream.Failure?
        outlet.borrow { holder in
            do throws(Thrown) {
                isDone = try !holder.downstream.step(&holder.downstream.result.value, input)
            } catch { failure = convert(error) }
        }
        if isDone || failure != nil {
            inlet.cancel()
            end(with: failure)
        }
        return .none
    }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        if inlet.finish() { end(with: completion.error.map { convert($0) }) }
    }

    /// Fails, or sends the result, if there is one, and finishes.
    @inlinable func end(with failure: Downstream.Failure?) {
        if let failure { return finish(.failure(failure)) }
        var result: Downstream.Input?
        outlet.borrow { result = $0.downstream.result.value.take() }
        guard let result else { return finish(.finished) }
        _ = deliver { $0.enqueueLast(result) }
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        super.request(demand)
    }

    @usableFromInline override func cancel() {
        super.cancel()
        inlet.cancel()
    }
}

/// The downstream, stored together with the closure and the result so far, so that all are released in one step.
@usableFromInline struct ReducingDownstream<Value, Thrown: Error, Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Input = Downstream.Input
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let result: OperatorState<Downstream.Input?>
    @usableFromInline let step: (inout Downstream.Input?, Value) throws(Thrown) -> Bool

    @inlinable init(
        downstream: Downstream, result: OperatorState<Downstream.Input?>,
        step: @escaping (inout Downstream.Input?, Value) throws(Thrown) -> Bool
    ) {
        self.downstream = downstream
        self.result = result
        self.step = step
    }

    @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand { downstream.receive(input) }
}

extension Publisher {
    /// Subscribes a ``ReducingSubscriber``, which sends one result to a subscriber.
    ///
    /// - Parameters:
    ///   - subscriber: Receives the result.
    ///   - name: The description of the subscription.
    ///   - initial: The result if there are no values; nil for none.
    ///   - step: Changes the result so far; returns whether it takes more values.
    @inlinable @inline(__always) func reduce<Thrown: Error, S: Subscriber>(
        into subscriber: S, as name: String, _ initial: S.Input?,
        _ step: @escaping (inout S.Input?, Output) throws(Thrown) -> Bool
    ) { subscribe(ReducingSubscriber<Output, Failure, Thrown, S>(subscriber, named: name, initial, step: step)) }
}
