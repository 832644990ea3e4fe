import Synchronization

extension Publishers {
    /// A publisher that sends a given value if its upstream finishes without sending any.
    public struct ReplaceEmpty<Upstream: Publisher>: Operator {
        /// The value that is sent if there is no other.
        @usableFromInline let output: Upstream.Output
        @usableFromInline package let upstream: Upstream

        @inlinable @inline(__always) package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream.subscribe(ReplaceEmptySubscriber(ReplaceEmptyDownstream(downstream: subscriber, output: output)))
        }
    }
}

extension Publishers.ReplaceEmpty: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

extension Publisher {
    /// Sends the given value if the upstream finishes without sending any. It is sent when it is requested.
    public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
        .init(output: output, upstream: self)
    }
}

@usableFromInline
final class ReplaceEmptySubscriber<Downstream: Subscriber>: Intercepting<ReplaceEmptyDownstream<Downstream>>, @unchecked Sendable
{
    // Sound: see the base class. The value is sent by the second of two events, the upstream's finish without values and the
    // first request.
    @usableFromInline let isHalfDone = Atomic<Bool>(false)
    @usableFromInline let wasAsked = Atomic<Bool>(false)
    @exclusivity(unchecked) @usableFromInline var isEmpty = true
    @inlinable init(_ downstream: ReplaceEmptyDownstream<Downstream>) { super.init(downstream, named: "ReplaceEmpty") }

    @inlinable override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        guard !inlet.isEnded else { return .none }
        isEmpty = false
        return outlet.send(input)
    }

    @inlinable override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        guard inlet.finish() else { return }
        if case .finished = completion, isEmpty { oneMore() } else { outlet.finish(completion) }
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        if !wasAsked.exchange(true, ordering: .relaxed) { oneMore() }
        inlet.request(demand)
    }

    @inlinable func oneMore() {
        guard isHalfDone.exchange(true, ordering: .acquiringAndReleasing) else { return }
        outlet.borrow { _ = $0.downstream.downstream.receive($0.downstream.output) }
        outlet.finish(.finished)
    }
}

/// Stores the value with the downstream, so that both are released in one step.
@usableFromInline struct ReplaceEmptyDownstream<Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let output: Downstream.Input
    @inlinable init(downstream: Downstream, output: Downstream.Input) {
        self.downstream = downstream
        self.output = output
    }
    @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand { downstream.receive(input) }
}
