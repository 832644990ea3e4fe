import Synchronization

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

/// An operator that takes all values of its upstream, or as many as it needs, and sends one result at the end. The result is kept
/// until the downstream requests it: the end or the request, whichever comes second, sends it.
@usableFromInline
final class ReducingSubscriber<Input, Failure: Error, Thrown: Error, Downstream: Subscriber>:
    InterceptingSubscriber<Input, Failure, ReducingDownstream<Input, Thrown, Downstream>>, @unchecked Sendable
{
    // Sound: as the base class says; only the thread that sets the second of the two bits of `state` sends the result.
    @usableFromInline let state = Atomic<UInt8>(0)
    /// Sends the result. The closure is formed where the types are known, so that it stays specialized behind `any Subscription`.
    @usableFromInline let sendResult: (ReducingSubscriber) -> Void

    @inlinable static var asked: UInt8 { 1 }
    @inlinable static var ended: UInt8 { 2 }

    @inlinable init(
        _ downstream: Downstream, named name: StaticString, _ initial: Downstream.Input?,
        step: @escaping (inout Downstream.Input?, Input) throws(Thrown) -> Bool
    ) {
        sendResult = { $0.sendSpecialised() }
        super.init(
            ReducingDownstream(downstream: downstream, result: OperatorState(initial), step: step), named: name)
    }

    @inlinable override func receive(subscription: any Subscription) { if start(subscription) { inlet.request(.unlimited) } }

    @inlinable override func receive(_ input: Input) -> Subscribers.Demand {
        var isDone = false
        var failure: Downstream.Failure?
        outlet.borrow { holder in
            if !isSubscribed || state.load(ordering: .relaxed) & Self.ended != 0 { return }
            do throws(Thrown) {
                isDone = try !holder.downstream.step(&holder.downstream.result.value, input)
            } catch { failure = convert(error) }
        }
        if let failure { finish(.failure(failure)) }
        if isDone {
            inlet.cancel()
            end()
        }
        return .none
    }

    @inlinable override func receive(completion: Subscribers.Completion<Failure>) {
        guard isSubscribed, inlet.finish() else { return }
        if case .failure = completion { return outlet.finish(completion.converted()) }
        end()
    }

    @inlinable func end() {
        var isEmpty = false
        outlet.borrow { isEmpty = $0.downstream.result.value == nil }
        if isEmpty { return outlet.finish(.finished) }
        if state.bitwiseOr(Self.ended, ordering: .acquiringAndReleasing).oldValue & Self.asked != 0 { sendSpecialised() }
    }

    @inlinable func sendSpecialised() {
        outlet.borrow { holder in
            if let result = holder.downstream.result.value { _ = holder.downstream.downstream.receive(result) }
        }
        outlet.finish(.finished)
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        if state.bitwiseOr(Self.asked, ordering: .acquiringAndReleasing).oldValue == Self.ended { sendResult(self) }
    }
}

/// The downstream, stored together with the closure and the result so far, so that all are released in one step.
@usableFromInline struct ReducingDownstream<Input, Thrown: Error, Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let result: OperatorState<Downstream.Input?>
    @usableFromInline let step: (inout Downstream.Input?, Input) throws(Thrown) -> Bool

    @inlinable init(
        downstream: Downstream, result: OperatorState<Downstream.Input?>,
        step: @escaping (inout Downstream.Input?, Input) throws(Thrown) -> Bool
    ) {
        self.downstream = downstream
        self.result = result
        self.step = step
    }

    /// Not used: the operator calls `step` itself.
    @usableFromInline func receive(_ input: Input) -> Subscribers.Demand { .none }
}
