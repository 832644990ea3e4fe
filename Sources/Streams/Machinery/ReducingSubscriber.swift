import Synchronization

/// An operator that takes all of its upstream, or as much as it needs to know, and sends one result at the end. The result waits
/// until the downstream asks for it: whoever comes second, the end or the request, sends it.
@usableFromInline
final class ReducingSubscriber<Input, Failure: Error, Thrown: Error, Downstream: Subscriber>:
    InterceptingSubscriber<Input, Failure, ReducingDownstream<Input, Thrown, Downstream>>, @unchecked Sendable
{
    // Sound: as the base class says; the result is sent by the one who sets the second bit of `state`, once both are set.
    @usableFromInline let state = Atomic<UInt8>(0)
    /// Sends the result. Formed where the types are known, which keeps it specialised behind `any Subscription`.
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

/// The closures and the result so far live with the downstream, so that all are let go in one step.
@usableFromInline struct ReducingDownstream<Input, Thrown: Error, Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let result: OperatorState<Downstream.Input?>
    @usableFromInline let step: (inout Downstream.Input?, Input) throws(Thrown) -> Bool

    @inlinable init(
        downstream: Downstream, result: OperatorState<Downstream.Input?>,
        step: @escaping (inout Downstream.Input?, Input) throws(Thrown) -> Bool
    ) { (self.downstream, self.result, self.step) = (downstream, result, step) }

    /// Not used: the operator calls the step itself.
    @usableFromInline func receive(_ input: Input) -> Subscribers.Demand { .none }
}

extension Publisher {
    /// Subscribes by way of a ``ReducingSubscriber``. If there is no value, the result is `initial`, or none if that is nil.
    /// `step` changes the result so far, and returns whether it takes more values.
    @inlinable @inline(__always) func reduce<Thrown: Error, S: Subscriber>(
        into subscriber: S, as name: StaticString, _ initial: S.Input?,
        _ step: @escaping (inout S.Input?, Output) throws(Thrown) -> Bool
    ) { subscribe(ReducingSubscriber<Output, Failure, Thrown, S>(subscriber, named: name, initial, step: step)) }
}
