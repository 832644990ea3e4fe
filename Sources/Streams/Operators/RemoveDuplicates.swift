extension Publishers {
    /// A publisher that leaves out values equal to the one before.
    public struct RemoveDuplicates<Upstream: Publisher>: Operator {
        /// Where the values come from.
        public let upstream: Upstream

        /// Whether a value equals the one sent before it.
        public let predicate: @Sendable (Upstream.Output, Upstream.Output) -> Bool

        /// A publisher without duplicates in a row.
        @preconcurrency @inlinable @inline(__always)
        public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output, Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches a subscriber.
        @inlinable @inline(__always)
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Upstream.Output, S.Failure == Failure {
            upstream.receive(trusting: RemoveDuplicatesSubscriber(downstream: subscriber, predicate: predicate), named: nil)
        }
    }
}

extension Publishers.RemoveDuplicates: Sendable where Upstream: Sendable {}

extension Publisher where Output: Equatable {
    /// Leaves out values equal to the one before.
    ///
    /// ```swift
    /// [1, 1, 2, 1].publisher.removeDuplicates()  // 1, 2, 1
    /// ```
    @inlinable @inline(__always)
    public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
        Publishers.RemoveDuplicates(upstream: self, predicate: uncheckedSendable { $0 == $1 })
    }
}

extension Publisher {
    /// Leaves out values that a predicate takes for equal to the one sent before.
    ///
    /// - Parameter predicate: Given the value last sent and the next one.
    @preconcurrency @inlinable @inline(__always)
    public func removeDuplicates(
        by predicate: @escaping @Sendable (Output, Output) -> Bool
    ) -> Publishers.RemoveDuplicates<Self> {
        Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
    }
}

@usableFromInline
struct RemoveDuplicatesSubscriber<Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let predicate: @Sendable (Downstream.Input, Downstream.Input) -> Bool
    @usableFromInline let last = Remembered<Downstream.Input?>(nil)

    @inlinable @inline(__always)
    init(downstream: Downstream, predicate: @escaping @Sendable (Downstream.Input, Downstream.Input) -> Bool) {
        self.downstream = downstream
        self.predicate = predicate
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        if let last = last.value, predicate(last, input) { return .max(1) }
        last.value = input
        return downstream.receive(input)
    }
}

/// Takes an `==` for Sendable. It captures nothing but its type; that its conformance is not bound to an actor is
/// something the compiler cannot know from here.
@inlinable @inline(__always)
func uncheckedSendable<Value>(_ areEqual: @escaping (Value, Value) -> Bool) -> @Sendable (Value, Value) -> Bool {
    let areEqual = UncheckedTransfer(areEqual)
    return { areEqual.value($0, $1) }
}
