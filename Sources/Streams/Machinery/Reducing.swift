extension Publishers {
    /// A publisher that takes all values of its upstream, or as many as it needs, and sends one result.
    public struct Reducing<Upstream: Publisher, Output, Thrown: Error, Failure: Error>: Operator {
        @usableFromInline package let upstream: Upstream
        @usableFromInline let name: StaticString
        @usableFromInline let initial: Output?
        @usableFromInline let step: @Sendable (inout Output?, Upstream.Output) throws(Thrown) -> Bool

        /// Creates an operator. The errors of the closure and of the upstream must be of the failure type, or convert to it.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - name: The description of the subscription.
        ///   - initial: The result if there are no values; nil for none.
        ///   - step: Changes the result so far; returns whether it needs more values.
        @inlinable init(
            _ upstream: Upstream, named name: StaticString, _ initial: Output?,
            step: @escaping @Sendable (inout Output?, Upstream.Output) throws(Thrown) -> Bool
        ) {
            self.upstream = upstream
            self.name = name
            self.initial = initial
            self.step = step
        }

        @inlinable @inline(__always) package func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
            upstream.subscribe(
                ReducingSubscriber<Upstream.Output, Upstream.Failure, Thrown, S>(subscriber, named: name, initial, step: step))
        }
    }
}

extension Publishers.Reducing: Sendable where Upstream: Sendable, Output: Sendable {}

/// An operator that takes all values of its upstream, or as many as it needs, and sends one result at the end, when it is requested.
@usableFromInline
final class ReducingSubscriber<Input, Failure: Error, Thrown: Error, Downstream: Subscriber>:
    DeliverySubscription<ReducingDownstream<Input, Thrown, Downstream>>, Subscriber, @unchecked Sendable
{
    // Sound: as the base class says; the inlet protects itself.
    @usableFromInline let inlet = Inlet()

    @inlinable init(
        _ downstream: Downstream, named name: StaticString, _ initial: Downstream.Input?,
        step: @escaping (inout Downstream.Input?, Input) throws(Thrown) -> Bool
    ) {
        super.init(
            ReducingDownstream(downstream: downstream, result: OperatorState(initial), step: step), named: name.description)
    }

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
                isDone = try !holder.value.step(&holder.value.result.value, input)
            } catch { failure = convert(error) }
        }
        guard isDone || failure != nil else { return .none }
        inlet.cancel()
        end(failure)
        return .none
    }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        if inlet.finish() { end(completion.error.map { convert($0) }) }
    }

    /// Fails, or sends the result, if there is any, and finishes.
    @inlinable func end(_ failure: Downstream.Failure?) {
        var result: Downstream.Input?
        outlet.borrow { result = $0.value.result.value }
        if failure == nil, let result {
            _ = deliver { $0.enqueueLast(result) }
        } else {
            finish(failure.map { .failure($0) } ?? .finished)
        }
    }

    override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        super.request(demand)
    }

    override func cancel() {
        super.cancel()
        inlet.cancel()
    }
}

/// The downstream, stored together with the closure and the result so far, so that all are released in one step.
@usableFromInline struct ReducingDownstream<Value, Thrown: Error, Downstream: Subscriber>: PassingSubscriber {
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
