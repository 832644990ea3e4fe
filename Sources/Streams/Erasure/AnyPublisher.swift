/// A publisher whose type is hidden.
///
/// Values pass the hidden boundary at the cost of one call: the code on either side stays specialised. A single value, no
/// value and an array of values are kept as they are, so that to erase a ``Just`` costs nothing.
@frozen
public struct AnyPublisher<Output, Failure: Error>: GrammaticalPublisher, CustomStringConvertible,
    CustomPlaygroundDisplayConvertible
{
    @usableFromInline package let storage: Storage

    /// What is behind the boundary; values that lie ready can be taken without a subscription.
    @usableFromInline package enum Storage {
        case just(Output)
        case values([Output])
        case hidden(HiddenPublisher<Output, Failure>)
    }

    /// Hides a publisher's type.
    @inlinable @inline(__always) public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        if let value = publisher.readyValue {
            storage = .just(value)
        } else if let sequence = publisher as? Publishers.Sequence<[Output], Failure> {
            storage = .values(sequence.sequence)
        } else if let empty = publisher as? Empty<Output, Failure>, empty.completeImmediately {
            storage = .values([])
        } else if let erased = publisher as? AnyPublisher<Output, Failure> {
            self = erased
        } else {
            storage = .hidden(HiddenPublisherOf(publisher))
        }
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always) public func receive(subscriber: some Subscriber<Output, Failure>) {
        attach(AnySubscriber(subscriber))
    }

    /// Hands over values that are kept as they are.
    @inlinable public func _sendReady(to take: (Output?) -> Bool) -> _ReadyValues<Output, Failure> {
        if case .values(let values) = storage { Publishers.Sequence(sequence: values)._sendReady(to: take) } else { .unready }
    }

    @inlinable func attach(_ subscriber: AnySubscriber<Output, Failure>) {
        switch storage {
        case .just(let value):
            PullSubscription.run(CollectionOfOne(value), named: "Just", completion: .finished, to: subscriber)
        case .values(let values):
            PullSubscription.run(values, named: "Sequence", completion: .finished, to: subscriber)
        case .hidden(let publisher):
            if publisher.depth % ChainSegment.length == 0 { return Trampoline(subscriber).attach(to: publisher) }
            publisher.attach(publisher, subscriber)
        }
    }

    /// `AnyPublisher`.
    public var description: String { "AnyPublisher" }

    /// `AnyPublisher`.
    public var playgroundDescription: Any { description }

    /// How many erased publishers lie behind each other, this one included.
    @inlinable public var _erasureDepth: Int { if case .hidden(let box) = storage { box.depth } else { 0 } }
}

// Sound where the values may cross threads: operators take Sendable closures, subjects guard themselves, and what else is
// hidden is a value. A publisher of one's own that is hidden here must be safe to subscribe to from any thread.
extension AnyPublisher: @unchecked Sendable where Output: Sendable {}

extension Publisher {
    /// Hides the type of this publisher.
    @inlinable @inline(__always) public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

extension _ReadyValues {
    /// The same for an operator: what is left goes through it.
    @inlinable @inline(__always)
    func through<P: Publisher>(_ attach: (AnyPublisher<Output, Failure>) -> P) -> _ReadyValues<P.Output, P.Failure> {
        switch self {
        case .unready: .unready
        case .taken: .taken
        case .left(let rest): .left(HiddenPublisherOf(attach(AnyPublisher(left: rest))))
        }
    }
}

extension AnyPublisher {
    /// What is left of values that lay ready: see ``_ReadyValues``. Seldom made, and so looked at.
    @inlinable
    package init(left rest: AnyObject) {
        guard let rest = rest as? HiddenPublisher<Output, Failure> else {
            preconditionFailure("_sendReady(to:) has left what is no publisher of its values: leave it to its default")
        }
        storage = .hidden(rest)
    }
}

extension Publishers.Sequence {
    /// Hands over elements.
    @inlinable @inline(__always) public func _sendReady(to take: (Output?) -> Bool) -> _ReadyValues<Output, Failure> {
        var elements = sequence.makeIterator()
        while let element = elements.next() {
            if !take(element) {
                return .left(HiddenPublisherOf(Publishers.Sequence<_, Failure>(sequence: IteratorSequence(elements))))
            }
        }
        return .taken
    }
}

@usableFromInline package class HiddenPublisher<Output, Failure: Error> {
    /// Subscribes. Formed where the publisher's type is known: see DESIGN on specialisation.
    @usableFromInline let attach: (HiddenPublisher, AnySubscriber<Output, Failure>) -> Void
    /// How many of these lie behind each other, this one included.
    @usableFromInline let depth: Int

    @inlinable init(depth: Int, attach: @escaping (HiddenPublisher, AnySubscriber<Output, Failure>) -> Void) {
        (self.depth, self.attach) = (depth, attach)
    }
}

@usableFromInline package final class HiddenPublisherOf<P: Publisher>: HiddenPublisher<P.Output, P.Failure> {
    /// Never nil until the end.
    @exclusivity(unchecked) @usableFromInline package var base: P?

    @inlinable init(_ base: P) {
        self.base = base
        super.init(depth: base._erasureDepth + 1) { box, subscriber in
            unsafeDowncast(box, to: HiddenPublisherOf<P>.self).base!._receive(trusting: subscriber, named: "AnyPublisher")
        }
        IterativeRelease.boxWasMade()
    }

    @inlinable deinit { if IterativeRelease.boxWillEnd() { IterativeRelease.end({ base = nil }, setAside: { base as Any }) } }
}
