/// A source of values over time.
///
/// A publisher is a description: nothing happens until a ``Subscriber`` subscribes, and each subscriber gets a run of
/// its own unless the publisher says otherwise (subjects and `share()` do). The names and the documented behaviour are
/// those of Apple's Combine framework.
///
/// Every publisher of this module keeps this grammar: one subscription, then values that never overlap and never
/// outnumber the demand, then at most one completion, then nothing.
public protocol Publisher<Output, Failure> {
    /// The kind of values sent.
    associatedtype Output

    /// The kind of error a run may end with; `Never` if it cannot fail.
    associatedtype Failure: Error

    /// Attaches a subscriber. Call ``subscribe(_:)-(Subscriber)`` instead; this is what a publisher implements.
    ///
    /// - Parameter subscriber: Receives the subscription first, possibly before this call returns.
    __consuming func receive<S: Subscriber>(subscriber: __owned S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
    /// Attaches a subscriber to this publisher.
    ///
    /// - Parameter subscriber: Receives a ``Subscription`` first; nothing else arrives until it requests values from it.
    @inlinable @inline(__always)
    public __consuming func subscribe<S: Subscriber>(_ subscriber: __owned S)
    where S.Input == Output, S.Failure == Failure {
        receive(subscriber: subscriber)
    }
}

/// The publishers that operators return, one type for each.
public enum Publishers {}
