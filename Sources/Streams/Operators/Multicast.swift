extension Publishers {
    /// A publisher that serves all subscribers from one subscription to its upstream, through a subject.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher, Operator, Attaching
    where Upstream.Output == SubjectType.Output, Upstream.Failure == SubjectType.Failure {
        /// Where the values come from; makes the subject, when the first subscriber or connection needs it.
        public let upstream: Upstream, createSubject: @Sendable () -> SubjectType
        private let made = Lock(UncheckedBox<SubjectType?>(nil))

        /// A publisher that serves all subscribers through a subject.
        @preconcurrency public init(upstream: Upstream, createSubject: @escaping @Sendable () -> SubjectType) {
            (self.upstream, self.createSubject) = (upstream, createSubject)
        }

        @usableFromInline var subject: SubjectType {
            if let subject = made.withLock({ UncheckedTransfer($0.value) }).value { return subject }
            // Made outside the lock, as it is user code; of two made at once the first is kept.
            let candidate = UncheckedTransfer(createSubject())
            return made.withLock { made in
                let subject = made.value ?? candidate.value
                made.value = subject
                return UncheckedTransfer(subject)
            }.value
        }

        @inlinable func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            subject.subscribe(MulticastSubscriber(subscriber, named: "Multicast"))
        }

        /// Subscribes the subject to the upstream.
        @inlinable public func connect() -> any Cancellable { upstream.subscribe(subject) }
    }
}

// Sound where the upstream is: the subject is behind the lock and guards itself.
extension Publishers.Multicast: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Serves all subscribers from one subscription to this publisher, through a subject made for them.
    @preconcurrency public func multicast<S: Subject<Output, Failure>>(
        _ createSubject: @escaping @Sendable () -> S
    ) -> Publishers.Multicast<Self, S> { Publishers.Multicast(upstream: self, createSubject: createSubject) }

    /// Serves all subscribers from one subscription to this publisher, through a subject.
    public func multicast<S: Subject<Output, Failure>>(subject: S) -> Publishers.Multicast<Self, S> {
        multicast(constant(subject))
    }
}

/// Asks the subject for what a delivery returns as for all else: a subject has nobody to return it to.
@usableFromInline final class MulticastSubscriber<Downstream: Subscriber>: Intercepting<Downstream>, @unchecked Sendable {
    // Sound: as the base class says.
    @inlinable override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        inlet.request(outlet.send(input))
        return .none
    }
}

private func constant<Value>(_ value: Value) -> @Sendable () -> Value {
    let value = UncheckedTransfer(value)
    return { value.value }
}
