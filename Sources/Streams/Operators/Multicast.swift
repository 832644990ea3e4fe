extension Publishers {
    /// A publisher that serves all subscribers from one subscription to its upstream, through a subject.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher, Operator
    where Upstream.Output == SubjectType.Output, Upstream.Failure == SubjectType.Failure {
        @usableFromInline package let upstream: Upstream
        /// The closure that creates the subject when the first subscriber or connection needs it.
        let createSubject: @Sendable () -> SubjectType
        private let made = Lock(UncheckedBox<SubjectType?>(nil))

        /// Creates a publisher that serves all subscribers through a subject.
        init(upstream: Upstream, createSubject: @escaping @Sendable () -> SubjectType) {
            self.upstream = upstream
            self.createSubject = createSubject
        }

        @usableFromInline var subject: SubjectType {
            if let subject = made.withLock({ UncheckedTransfer($0.value) }).value { return subject }
            // Created outside the lock, since the closure is user code. If two threads create one at once, the first to be stored
            // is used.
            let candidate = UncheckedTransfer(createSubject())
            return made.withLock { made in
                let subject = made.value ?? candidate.value
                made.value = subject
                return UncheckedTransfer(subject)
            }.value
        }

        @inlinable package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            subject.subscribe(MulticastSubscriber(subscriber, named: "Multicast"))
        }

        /// Subscribes the subject to the upstream.
        /// - Returns: The connection; it cancels the subscription to the upstream when it is cancelled or released.
        @inlinable public func connect() -> any Cancellable { upstream.subscribe(subject) }
    }

    /// A publisher that starts sending when `connect()` is called.
    public typealias MakeConnectable<Upstream: Publisher> =
        Multicast<Upstream, PassthroughSubject<Upstream.Output, Never>> where Upstream.Failure == Never
}

// Sound if the upstream is Sendable: the subject is stored behind the lock, and is itself thread-safe.
extension Publishers.Multicast: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Serves all subscribers from one subscription to this publisher, through a subject. Call `connect()` to subscribe.
    /// - Parameter createSubject: Creates the subject, which all subscribers share. Called when the first subscriber or
    ///   connection needs it.
    @preconcurrency public func multicast<S: Subject<Output, Failure>>(
        _ createSubject: @escaping @Sendable () -> S
    ) -> Publishers.Multicast<Self, S> { Publishers.Multicast(upstream: self, createSubject: createSubject) }

    /// Serves all subscribers from one subscription to this publisher, through the given subject. Call `connect()` to subscribe.
    /// - Parameter subject: The subject that all subscribers share.
    public func multicast<S: Subject<Output, Failure>>(subject: S) -> Publishers.Multicast<Self, S> {
        multicast(constant(subject))
    }
}

extension Publisher where Failure == Never {
    /// Returns a publisher that starts sending when its `connect()` is called, so that several subscribers can subscribe first.
    public func makeConnectable() -> Publishers.MakeConnectable<Self> { multicast { PassthroughSubject() } }
}

/// Requests the demand that a delivery returns, instead of returning it: the caller of a subject's `send(_:)` receives no demand.
@usableFromInline final class MulticastSubscriber<Downstream: Subscriber>: Intercepting<Downstream>, @unchecked Sendable {
    // Sound: see the base class.
    @inlinable override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        inlet.request(outlet.send(input))
        return .none
    }
}

private func constant<Value>(_ value: Value) -> @Sendable () -> Value {
    let value = UncheckedTransfer(value)
    return { value.value }
}
