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
