/// A publisher whose type is erased.
///
/// A value costs one call at the erased boundary; the code on either side stays specialized. A single value, no value and an
/// array of values are stored as they are, so that erasing a ``Just`` costs nothing.
@frozen
public struct AnyPublisher<Output, Failure: Error>: GrammaticalPublisher, CustomStringConvertible,
    CustomPlaygroundDisplayConvertible
{
    @usableFromInline package let storage: Storage

    /// The erased publisher: ready values, which can be read without a subscription, or a box.
    @usableFromInline package enum Storage {
        case just(Output)
        case values([Output])
        case hidden(HiddenPublisher<Output, Failure>)

        /// A publisher that is never ready, in a box.
        @inlinable package static func hiding(_ publisher: some Publisher<Output, Failure>) -> Storage {
            .hidden(HiddenPublisherOf(publisher))
        }
    }

    /// Erases a publisher's type.
    ///
    /// - Parameter publisher: The publisher whose values are sent. Borrowed, because the optimizer of Swift 6.3 fails on
    ///   `AnyPublisher(Just(text))` if it is consumed.
    @inlinable @inline(__always) public init<P: Publisher>(_ publisher: borrowing P)
    where P.Output == Output, P.Failure == Failure {
        let publisher = copy publisher
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

    /// Attaches a subscriber to the erased publisher.
    ///
    /// - Parameter subscriber: The subscriber.
    @inlinable @inline(__always) public func receive(subscriber: some Subscriber<Output, Failure>) {
        attach(AnySubscriber(subscriber))
    }

    /// Passes the values to a closure, if they are stored as an array: see `Publisher._sendReady(to:)`.
    ///
    /// - Parameter take: Called with each value, until it returns false.
    /// - Returns: The rest of the values.
    @inlinable public func _sendReady(to take: (Output) -> Bool) -> _ReadyValues {
        switch storage {
        case .just(let value):
            _ = take(value)
            return .taken
        case .values(let values): return Publishers.Sequence<_, Failure>(sequence: values)._sendReady(to: take)
        case .hidden: return .unready
        }
    }

    @inlinable @inline(__always) func attach(_ subscriber: AnySubscriber<Output, Failure>) {
        if case .hidden(let publisher) = storage { publisher.attach(publisher, subscriber) } else { attachReady(subscriber) }
    }

    /// Attaches a subscriber to ready values. Not inlined, as a function from which an erased publisher is subscribed to must need
    /// little stack.
    @inlinable @inline(never) func attachReady(_ subscriber: AnySubscriber<Output, Failure>) {
        switch storage {
        case .just(let value):
            PullSubscription.run(CollectionOfOne(value), named: "Just", completion: .finished, to: subscriber)
        case .values(let values):
            PullSubscription.run(values, named: "Sequence", completion: .finished, to: subscriber)
        case .hidden: break
        }
    }

    /// `AnyPublisher`.
    public var description: String { "AnyPublisher" }

    /// `AnyPublisher`.
    public var playgroundDescription: Any { description }
}

// Sound if the values may cross threads: operators take Sendable closures, subjects are thread-safe, and all else in this module
// is a value. A publisher of another module that is erased here must be safe to subscribe to on any thread.
extension AnyPublisher: @unchecked Sendable where Output: Sendable {}

extension Publisher {
    /// Erases the type of this publisher.
    ///
    /// - Returns: A publisher of the same values and completion.
    @inlinable @inline(__always) public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }

    /// This publisher, with its type erased by a function that is not inlined, so that code with several of them stays short.
    @inlinable @inline(never) package var erased: AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

extension AnyPublisher {
    /// Creates a publisher of the remaining ready values: see `_ReadyValues`. It is created rarely, so that a check of the type
    /// costs little.
    ///
    /// - Parameter rest: A `HiddenPublisher` of the same types; anything else traps.
    @inlinable
    package init(left rest: AnyObject) {
        guard let rest = rest as? HiddenPublisher<Output, Failure> else {
            preconditionFailure("_sendReady(to:) has returned a rest of another type: use the default implementation")
        }
        storage = .hidden(rest)
    }

    /// Creates a publisher that is known to be ready, or to be hidden in a box.
    @inlinable package init(storing storage: Storage) { self.storage = storage }
}

extension Publishers.Sequence {
    /// Passes the elements to a closure: see `Publisher._sendReady(to:)`.
    ///
    /// - Parameter take: Called with each element, until it returns false.
    /// - Returns: The rest of the elements.
    @inlinable @inline(__always) public func _sendReady(to take: (Output) -> Bool) -> _ReadyValues {
        var elements = sequence.makeIterator()
        while let element = elements.next() {
            if !take(element) {
                return .left(HiddenPublisherOf(Publishers.Sequence<_, Failure>(sequence: IteratorSequence(elements))))
            }
        }
        return .taken
    }
}

/// A box for a publisher whose type is erased; the base class of ``HiddenPublisherOf``.
@usableFromInline package class HiddenPublisher<Output, Failure: Error> {
    /// Attaches a subscriber. The closure is formed where the publisher's type is known, so that it stays specialized: see
    /// ARCHITECTURE.md, "Decisions that follow from measurements".
    @usableFromInline let attach: (HiddenPublisher, AnySubscriber<Output, Failure>) -> Void

    @inlinable init(attach: @escaping (HiddenPublisher, AnySubscriber<Output, Failure>) -> Void) { self.attach = attach }
}

/// A box for a publisher of a known type.
@usableFromInline package final class HiddenPublisherOf<P: Publisher>: HiddenPublisher<P.Output, P.Failure> {
    /// The publisher. Nil only after `deinit` has begun.
    @exclusivity(unchecked) @usableFromInline var base: Borrowed<P>?

    @inlinable init(_ base: P) {
        self.base = Borrowed(base)
        super.init { unsafeDowncast($0, to: HiddenPublisherOf<P>.self).attach($1) }
    }

    // The publisher is borrowed, and not copied: so a subscription through many erased publishers takes little stack.
    @inlinable @inline(__always) func attach(_ subscriber: AnySubscriber<P.Output, P.Failure>) {
        base.borrow { $0.value._receive(trusting: subscriber, named: "AnyPublisher") }
    }

    /// The publisher, copied.
    package var publisher: P? { base.borrow { $0.value } }

    @inlinable deinit { IterativeRelease.end({ base = nil }, setAside: { base.borrow { $0.value } as Any }) }
}

extension Publisher {
    /// The value of a publisher that sends exactly one value, known without subscribing; nil for all other publishers. Where the
    /// type is known, the compiler evaluates all but one of the casts.
    @inlinable @inline(__always) package var readyValue: Output? {
        if let just = self as? Just<Output> { return just.output }
        return readyValueOfOthers
    }

    /// The value of a publisher that is no `Just`. A separate function, because a debug build looks up all types of a function
    /// when it is called, and most ready values are a `Just`.
    @inlinable @inline(__always) var readyValueOfOthers: Output? {
        if let optional = self as? Optional<Output>.Publisher { return optional.output }
        if let once = self as? Result<Output, Failure>.Publisher { return try? once.result.get() }
        if let erased = self as? AnyPublisher<Output, Failure>, case .just(let value) = erased.storage { return value }
        return nil
    }
}
