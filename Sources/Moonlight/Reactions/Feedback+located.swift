import Streams

extension Publisher where Failure == Never {
    /// Says whose feedback this is: reactions and rules in it carry the path of a child.
    ///
    /// ```swift
    /// feedback: { states in
    ///     [states.map(\.cart).react(to: \.query) { … }.map(AppEvent.cart).located(at: .root.child("cart"))]
    /// }
    /// ```
    /// So equal queries of two children are two in ``Store/reactions``, and equal names of their rules two in the journal. In
    /// feedback that is itself located, the path goes on from there. Outside a loop it does nothing.
    ///
    /// - Parameter path: The child's path, as a ``Reducer`` calls it.
    public func located(at path: ScopePath) -> AnyPublisher<Output, Never> {
        AnyPublisher(LocatedFeedback(upstream: self, path: path))
    }
}

private struct LocatedFeedback<Upstream: Publisher>: GrammaticalPublisher where Upstream.Failure == Never {
    typealias Output = Upstream.Output
    typealias Failure = Never

    let upstream: Upstream
    let path: ScopePath

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        guard let outer = subscriber._subscriberContext as? any LoopMember else {
            return upstream._receive(trusting: subscriber, named: "Feedback")
        }
        let child = LocatedMember(context: outer.context, path: outer.path.appending(path))
        upstream._receive(trusting: LocatedSubscriber(downstream: subscriber, child: child), named: "Feedback")
    }
}

/// A child of a loop, as what takes its feedback in.
private final class LocatedMember: LoopMember {
    let context: LoopContext?
    let path: ScopePath

    init(context: LoopContext?, path: ScopePath) { (self.context, self.path) = (context, path) }
}

private struct LocatedSubscriber<Downstream: Subscriber>: PassingSubscriber where Downstream.Failure == Never {
    typealias Failure = Never

    let downstream: Downstream
    let child: LocatedMember

    var _subscriberContext: AnyObject? { child }
    func receive(_ event: Downstream.Input) -> Subscribers.Demand { downstream.receive(event) }
}
