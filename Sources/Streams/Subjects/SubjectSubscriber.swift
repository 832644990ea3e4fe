extension Publisher {
    /// Feeds a subject with what this publisher sends, its completion included.
    /// - Parameter subject: Kept alive until the end. A ``PassthroughSubject`` asks for values, without limit, once it has a
    ///   subscriber that does, a ``CurrentValueSubject`` at once.
    /// - Returns: What keeps the subscription going; cancels it when released.
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where S.Output == Output, S.Failure == Failure {
        let subscriber = GrammarGuard(SubjectSubscriber(subject: subject), named: "Subject", strict: true)
        subscribe(subscriber)
        return AnyCancellable(subscriber)
    }
}

extension AnySubscriber {
    /// A subscriber that feeds a subject.
    public init<S: Subject>(_ subject: S) where S.Output == Input, S.Failure == Failure {
        self.init(GrammarGuard(SubjectSubscriber(subject: subject), named: "Subject", strict: true))
    }
}

/// Feeds a subject with what an upstream sends.
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
