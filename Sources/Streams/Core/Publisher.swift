/// A source of values over time.
///
/// A publisher is a description: nothing happens until a ``Subscriber`` subscribes. Each subscription is a separate run, unless
/// documented otherwise, as for subjects and `share()`. Names and documented behavior are those of Apple's Combine.
///
/// Every publisher of this module keeps this grammar: one subscription, then values, then at most one completion, then nothing.
/// Values never overlap and never exceed the demand.
public protocol Publisher<Output, Failure> {
    /// The type of the values.
    associatedtype Output
    /// The type of the error that a run may end with; `Never` if it cannot fail.
    associatedtype Failure: Error

    /// Attaches a subscriber. A publisher implements this method; callers use `subscribe(_:)`.
    ///
    /// - Parameter subscriber: Receives the subscription first, possibly before this call returns.
    __consuming func receive<S: Subscriber>(subscriber: __owned S) where S.Input == Output, S.Failure == Failure

    /// Attaches an operator's subscriber, which relies on the grammar.
    ///
    /// Do not implement this method. Its default enforces the grammar with a guard if the publisher is not a
    /// ``GrammaticalPublisher``.
    ///
    /// - Parameters:
    ///   - subscriber: The operator's subscriber.
    ///   - name: The guard's description until it receives the publisher's subscription. From then on, it has the description of
    ///     that subscription.
    ///   - strict: Whether the guard keeps its name as its description, and traps if an event arrives before the subscription.
    __consuming func _receive<S: Subscriber>(trusting subscriber: __owned S, named name: StaticString, strict: Bool)
    where S.Input == Output, S.Failure == Failure

    /// Passes ready values to a closure, without a subscription, until the closure returns false.
    ///
    /// `flatMap` and `sink` take the values of a source in this way. Do not implement this method: by default, a publisher has no
    /// ready values. Of the operators, only `flatMap` of a single value has any.
    ///
    /// - Parameter take: Receives each value. Returns whether to continue.
    /// - Returns: Whether there were ready values, and a publisher of the rest.
    func _sendReady(to take: (Output) -> Bool) -> _ReadyValues
}

/// A publisher that keeps the grammar by itself, so that operators need not enforce it.
///
/// The grammar is: one subscription, then values that never overlap, at most one completion, and nothing after the completion or
/// after `cancel()`.
///
/// All publishers of this module conform. (One that sends only a completion sends it even if it is cancelled from inside
/// `receive(subscription:)`, as in Combine.) Other publishers may conform if they keep the grammar on every thread.
public protocol GrammaticalPublisher<Output, Failure>: Publisher {}

/// A publisher of this module. The protocol implements `receive(subscriber:)` for all of them by calling ``attach(_:)``.
@usableFromInline package protocol Attaching<Output, Failure>: GrammaticalPublisher {
    __consuming func attach<S: Subscriber>(_ subscriber: __owned S) where S.Input == Output, S.Failure == Failure
}

/// A publisher that derives its values from another publisher, its upstream, and by default has its output and failure types.
@usableFromInline package protocol Operator<Upstream>: Attaching {
    associatedtype Upstream: Publisher
    associatedtype Output = Upstream.Output
    associatedtype Failure = Upstream.Failure

    /// The publisher that the values come from.
    var upstream: Upstream { get }
}

extension Attaching {
    /// Attaches a subscriber.
    @inlinable @inline(__always) public __consuming func receive<S: Subscriber>(subscriber: __owned S)
    where S.Input == Output, S.Failure == Failure { attach(subscriber) }
}

extension Publisher {
    /// Returns `unready`: by default, a publisher has no ready values.
    @inlinable @inline(__always) public func _sendReady(to take: (Output) -> Bool) -> _ReadyValues { .unready }

    /// Attaches a subscriber. It receives a ``Subscription`` first, and no values until it requests them.
    ///
    /// - Parameter subscriber: The subscriber, which may be called before this method returns.
    @inlinable @inline(__always) public __consuming func subscribe<S: Subscriber>(_ subscriber: __owned S)
    where S.Input == Output, S.Failure == Failure { receive(subscriber: subscriber) }

    /// Attaches an operator's subscriber that passes the subscription through to its downstream.
    @inlinable @inline(__always)
    package __consuming func _receive<S: Subscriber>(trusting subscriber: __owned S, named name: StaticString)
    where S.Input == Output, S.Failure == Failure { _receive(trusting: subscriber, named: name, strict: false) }
}

extension GrammaticalPublisher {
    /// Attaches an operator's subscriber without a guard.
    @inlinable @inline(__always)
    public __consuming func _receive<S: Subscriber>(trusting subscriber: __owned S, named name: StaticString, strict: Bool)
    where S.Input == Output, S.Failure == Failure { receive(subscriber: subscriber) }
}

/// A publisher that starts sending when it is connected, so that all its subscribers can be attached first.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Starts sending.
    ///
    /// - Returns: A cancellable that stops it.
    func connect() -> any Cancellable
}

/// The result of `_sendReady(to:)`. Ready values are those that a publisher can deliver without a subscription, such as the
/// elements of a sequence.
@frozen public enum _ReadyValues {
    /// `unready`: there are no ready values, and the publisher must be subscribed to. `taken`: all values were taken. `left`:
    /// some values were taken, and the object is a publisher of the rest: a `HiddenPublisher` of the same types, which
    /// belongs to a higher layer and cannot be named here.
    case unready
    case taken
    case left(AnyObject)
}

/// The namespace of the publishers that operators return.
public enum Publishers {}
