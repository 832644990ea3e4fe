import Synchronization

/// A publisher that starts sending when it is told to, so that all its subscribers can be there first.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Starts sending.
    ///
    /// - Returns: What stops it.
    func connect() -> any Cancellable
}

extension Publishers {
    /// A publisher that serves all subscribers from one subscription to its upstream, through a subject.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher, Operator
    where Upstream.Output == SubjectType.Output, Upstream.Failure == SubjectType.Failure {
        /// Where the values come from.
        public let upstream: Upstream

        /// Makes the subject, when the first subscriber or connection needs it.
        public let createSubject: @Sendable () -> SubjectType

        private let made = Lock(UncheckedBox<SubjectType?>(nil))

        /// A publisher that serves all subscribers through a subject.
        @preconcurrency
        public init(upstream: Upstream, createSubject: @escaping @Sendable () -> SubjectType) {
            self.upstream = upstream
            self.createSubject = createSubject
        }

        private var subject: SubjectType {
            if let subject = made.withLock({ UncheckedTransfer($0.value) }).value { return subject }
            // Made outside the lock, as it is user code; of two made at once the first is kept.
            let candidate = UncheckedTransfer(createSubject())
            return made.withLock { made in
                let subject = made.value ?? candidate.value
                made.value = subject
                return UncheckedTransfer(subject)
            }.value
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Upstream.Output, S.Failure == Failure {
            subject.subscribe(subscriber)
        }

        /// Subscribes the subject to the upstream.
        public func connect() -> any Cancellable {
            let connection = Connection()
            upstream.subscribe(ConnectionSubscriber(subject: subject, connection: connection))
            return connection
        }
    }
}

// Sound where the upstream is: the subject is behind the lock and guards itself.
extension Publishers.Multicast: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Serves all subscribers from one subscription to this publisher, through a subject made for them.
    @preconcurrency
    public func multicast<S: Subject>(
        _ createSubject: @escaping @Sendable () -> S
    ) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
        Publishers.Multicast(upstream: self, createSubject: createSubject)
    }

    /// Serves all subscribers from one subscription to this publisher, through a subject.
    public func multicast<S: Subject>(
        subject: S
    ) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
        Publishers.Multicast(upstream: self, createSubject: constant(subject))
    }
}

/// One connection of a subject to its upstream: what the subject asks, and what its user cancels.
final class Connection: SubscriptionCore, @unchecked Sendable {
    // Sound: the inlet guards itself.
    let inlet = Inlet()

    override func request(_ demand: Subscribers.Demand) { inlet.request(demand) }
    override func cancel() { inlet.cancel() }
    override var isSpent: Bool { inlet.isEnded }
    override var description: String { "Multicast" }
}

private struct ConnectionSubscriber<S: Subject>: Subscriber {
    let subject: S
    let connection: Connection

    func receive(subscription: any Subscription) {
        if connection.inlet.fill(subscription) { subject.send(subscription: connection) }
    }

    func receive(_ input: S.Output) -> Subscribers.Demand {
        if !connection.inlet.isEnded { subject.send(input) }
        return .none
    }

    func receive(completion: Subscribers.Completion<S.Failure>) {
        if connection.inlet.finish() { subject.send(completion: completion) }
    }

    var combineIdentifier: CombineIdentifier { connection.combineIdentifier }
}

private func constant<Value>(_ value: Value) -> @Sendable () -> Value {
    let value = UncheckedTransfer(value)
    return { value.value }
}
