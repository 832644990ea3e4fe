import Synchronization

extension Publisher {
    /// Sends the values and the completion of this publisher to a subject.
    ///
    /// - Parameter subject: Kept alive until the end. A ``PassthroughSubject`` requests all values once one of its subscribers
    ///   requests any, a ``CurrentValueSubject`` at once.
    /// - Returns: A cancellable that keeps the subscription alive, and cancels it when released.
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where S.Output == Output, S.Failure == Failure {
        let subscriber = GrammarGuard(SubjectSubscriber(subject: subject), named: "Subject", strict: true)
        subscribe(subscriber)
        return AnyCancellable(subscriber)
    }
}

extension AnySubscriber {
    /// Creates a subscriber that sends the values and the completion that it receives to a subject.
    public init<S: Subject>(_ subject: S) where S.Output == Input, S.Failure == Failure {
        self.init(GrammarGuard(SubjectSubscriber(subject: subject), named: "Subject", strict: true))
    }
}

/// Sends the values and the completion of an upstream to a subject.
private struct SubjectSubscriber<S: Subject>: Subscriber {
    let subject: S
    var combineIdentifier: CombineIdentifier { CombineIdentifier(subject) }
    func receive(subscription: any Subscription) { subject.send(subscription: subscription) }
    func receive(completion: Subscribers.Completion<S.Failure>) { subject.send(completion: completion) }

    func receive(_ input: S.Output) -> Subscribers.Demand {
        subject.send(input)
        return .none
    }
}

/// The subscriptions to the upstreams of a subject. When the subject ends, they are cancelled, and no more are accepted.
@usableFromInline struct Upstreams: ~Copyable {
    /// `room`: the number of members at which ended ones are removed. It is twice the number that remained the last time, so that
    /// adding one takes constant time on average.
    private let open = Lock<(members: [SubscriptionCore], room: Int)?>(([], 0))

    /// Adds a subscription; returns false if the subject has ended.
    func append(_ upstream: SubscriptionCore) -> Bool {
        // Ended subscriptions are released outside the lock.
        let (isOpen, before) = open.withLock { open in
            var before: [SubscriptionCore] = []
            if let (members, room) = open, members.count >= room {
                before = members
                let left = members.filter { !$0.isSpent }
                open = (left, 2 * left.count)
            }
            open?.members.append(upstream)
            return (open != nil, before)
        }
        return withExtendedLifetime(before) { isOpen }
    }

    func request() { for upstream in open.withLock({ $0?.members ?? [] }) { upstream.request(.unlimited) } }
    @usableFromInline func end() { for upstream in open.withLock({ $0.take()?.members ?? [] }) { upstream.cancel() } }
}
