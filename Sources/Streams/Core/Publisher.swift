/// A source of values over time.
///
/// A publisher is a description: nothing happens until a ``Subscriber`` subscribes, and each subscriber gets a run of its own unless
/// the publisher says otherwise (subjects and `share()` do). The names and the documented behaviour are those of Apple's Combine.
/// Every publisher of this module keeps this grammar: one subscription, then values that never overlap and never outnumber the
/// demand, then at most one completion, then nothing.
public protocol Publisher<Output, Failure> {
    /// The kind of values sent.
    associatedtype Output
    /// The kind of error a run may end with; `Never` if it cannot fail.
    associatedtype Failure: Error

    /// Attaches a subscriber. Call `subscribe(_:)` instead; this is what a publisher implements.
    /// - Parameter subscriber: Receives the subscription first, possibly before this call returns.
    __consuming func receive<S: Subscriber>(subscriber: __owned S) where S.Input == Output, S.Failure == Failure

    /// Attaches an operator's subscriber, which relies on the grammar. Leave it to its default, which guards that grammar
    /// for a publisher that does not declare itself to be a ``GrammaticalPublisher``.
    /// - Parameter name: How the guard describes itself until the publisher's subscription comes, as which it does from then on.
    /// - Parameter strict: Whether it keeps its name, and traps at what comes before the subscription.
    __consuming func _receive<S: Subscriber>(trusting subscriber: __owned S, named name: StaticString, strict: Bool)
    where S.Input == Output, S.Failure == Failure

    /// Hands the values to a closure, without a subscription, if they lie ready, until it returns false; nil for each that an
    /// operator leaves out. So a chain over a sequence is a loop for `sink` and `flatMap`. Leave it to its default, which has none.
    func _sendReady(to take: (Output?) -> Bool) -> _ReadyValues<Output, Failure>

    /// How many erased publishers lie behind each other here, at most: a chain of very many is called through in segments, so
    /// that it needs no more stack than a short one. Leave it to its default, unless you wrap a publisher.
    var _erasureDepth: Int { get }
}

/// A publisher that keeps the grammar by itself, so that operators need not guard against it: one subscription, then values
/// that never overlap, at most one completion, and nothing after that or after `cancel()`.
///
/// All publishers of this module are. (One that has nothing but a completion sends that even if it is cancelled from inside
/// `receive(subscription:)`, as in Combine.) Declare a publisher of your own to be one only if it keeps that on every thread.
public protocol GrammaticalPublisher<Output, Failure>: Publisher {}

/// A publisher that does something to what another sends.
public protocol Operator<Upstream>: GrammaticalPublisher {
    /// The kind of publisher that the values come from.
    associatedtype Upstream: Publisher
    associatedtype Output = Upstream.Output
    associatedtype Failure = Upstream.Failure

    /// Where the values come from.
    var upstream: Upstream { get }
}

/// A publisher of this module, as it attaches a subscriber: said here once for all of them.
@usableFromInline protocol Attaching<Output, Failure>: GrammaticalPublisher {
    __consuming func attach<S: Subscriber>(_ subscriber: __owned S) where S.Input == Output, S.Failure == Failure
}

extension Operator {
    /// As many as behind the upstream.
    @inlinable public var _erasureDepth: Int { upstream._erasureDepth }
}

extension Attaching {
    /// Attaches a subscriber.
    @inlinable @inline(__always) public __consuming func receive<S: Subscriber>(subscriber: __owned S)
    where S.Input == Output, S.Failure == Failure { attach(subscriber) }
}

extension Publisher {
    /// None lie ready, as far as one can know.
    @inlinable @inline(__always) public func _sendReady(to take: (Output?) -> Bool) -> _ReadyValues<Output, Failure> { .unready }

    /// None, as far as one can know.
    @inlinable public var _erasureDepth: Int { 0 }

    /// Attaches a subscriber, which receives a ``Subscription`` first, and nothing else until it requests values from it.
    @inlinable @inline(__always) public __consuming func subscribe<S: Subscriber>(_ subscriber: __owned S)
    where S.Input == Output, S.Failure == Failure { receive(subscriber: subscriber) }
    /// Attaches an operator's subscriber that leaves the subscription to its downstream.
    @inlinable @inline(__always)
    package __consuming func _receive<S: Subscriber>(trusting subscriber: __owned S, named name: StaticString)
    where S.Input == Output, S.Failure == Failure { _receive(trusting: subscriber, named: name, strict: false) }
}

extension GrammaticalPublisher {
    /// Attaches an operator's subscriber as it is.
    @inlinable @inline(__always)
    public __consuming func _receive<S: Subscriber>(trusting subscriber: __owned S, named name: StaticString, strict: Bool)
    where S.Input == Output, S.Failure == Failure { receive(subscriber: subscriber) }
}

/// The publishers that operators return, one type for each.
public enum Publishers {}
