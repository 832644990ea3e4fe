/// Takes the values of publishers that have them ready, one after the other, without a subscription: what flatMap does with
/// sequences while everything is asked for.
@usableFromInline final class ReadyTaker<Input, Failure: Error>: Subscriber {
    /// Takes a value; returns whether another may follow at once.
    @exclusivity(unchecked) @usableFromInline var takeOne: (Input) -> Bool = { _ in false }
    /// What was not taken.
    @exclusivity(unchecked) @usableFromInline var rest: AnyPublisher<Input, Failure>?
    /// Nil for a type of publisher that never has its values ready.
    @usableFromInline init?(for type: Any.Type) {
        guard type is any ReadySequence.Type || type == AnyPublisher<Input, Failure>.self else { return nil }
    }
    /// Takes what a publisher has ready, up to the rest; returns whether that was so.
    @inlinable @inline(__always) func take<P: Publisher>(from publisher: P) -> Bool
    where P.Output == Input, P.Failure == Failure {
        guard let erased = publisher as? AnyPublisher<Input, Failure> else {
            publisher.receive(trusting: self, named: nil)
            return true
        }
        guard case .values(let values) = erased.storage else { return false }
        Publishers.Sequence(sequence: values).receive(trusting: self, named: nil)
        return true
    }
    // Nobody who has nothing ready is given one of these.
    @usableFromInline func receive(subscription: any Subscription) {}
    @usableFromInline func receive(_ input: Input) -> Subscribers.Demand { .none }
    @usableFromInline func receive(completion: Subscribers.Completion<Failure>) {}
}

/// A publisher that has its values ready.
@usableFromInline protocol ReadySequence: GrammaticalPublisher {
    associatedtype Elements: Swift.Sequence where Elements.Element == Output
    var sequence: Elements { get }
}

extension ReadySequence {
    /// Attaches an operator's subscriber as it is; hands the values over without a subscription to one that takes them so.
    @inlinable @inline(__always)
    public __consuming func receive<S: Subscriber>(trusting subscriber: __owned S, named name: StaticString?)
    where S.Input == Output, S.Failure == Failure {
        guard let taker = subscriber as? ReadyTaker<Output, Failure> else { return receive(subscriber: subscriber) }
        var (elements, goesOn) = (sequence.makeIterator(), true)
        let takeOne = taker.takeOne
        while goesOn {
            guard let value = elements.next() else { return }
            goesOn = takeOne(value)
        }
        taker.rest = AnyPublisher(Publishers.Sequence(sequence: IteratorSequence(elements)))
    }
}
