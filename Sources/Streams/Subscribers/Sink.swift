extension Publisher {
    /// Subscribes with closures for the values and the completion, and asks for all values.
    ///
    /// The closures run in the isolation in which they were formed. Formed on the main actor, they are called at once for
    /// a value that is sent on the main thread, and through a queue, in order, for one sent elsewhere. Formed on another
    /// actor, they are called at once for a value that is sent during this call, and through the queue after that. Formed
    /// in code without isolation, they are called directly, on the thread that sends.
    ///
    /// - Parameters:
    ///   - isolation: Where the closures run; leave it to its default.
    ///   - receiveCompletion: Called at most once, after the last value.
    ///   - receiveValue: Called for each value, never overlapping.
    /// - Returns: What keeps the subscription going; cancels it when released.
    @inlinable @inline(__always)
    public func sink(
        isolation: isolated (any Actor)? = #isolation,
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let slot = SubscriptionSlot()
        subscribe(SinkSubscriber(slot: slot, receiveValue: receiveValue, receiveCompletion: receiveCompletion))
        return AnyCancellable(keeping: slot)
    }

    /// Subscribes with a closure for the values of a publisher that cannot fail, and asks for all of them.
    ///
    /// See ``sink(isolation:receiveCompletion:receiveValue:)`` for where the closure runs.
    @inlinable @inline(__always)
    public func sink(
        isolation: isolated (any Actor)? = #isolation,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable where Failure == Never {
        let slot = SubscriptionSlot()
        subscribe(ValueSinkSubscriber(slot: slot, receiveValue: receiveValue))
        return AnyCancellable(keeping: slot)
    }
}

@usableFromInline
struct SinkSubscriber<Input, Failure: Error>: Subscriber {
    @usableFromInline let slot: SubscriptionSlot
    @usableFromInline let receiveValue: (Input) -> Void
    @usableFromInline let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

    @inlinable @inline(__always)
    init(
        slot: SubscriptionSlot,
        receiveValue: @escaping (Input) -> Void,
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) {
        self.slot = slot
        self.receiveValue = receiveValue
        self.receiveCompletion = receiveCompletion
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        if slot.fill(subscription) { subscription.request(.unlimited) }
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        if !slot.isEnded { receiveValue(input) }
        return .none
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Failure>) {
        if slot.finish() { receiveCompletion(completion) }
    }

    @inlinable @inline(__always)
    var combineIdentifier: CombineIdentifier { slot.combineIdentifier }
}

/// Like ``SinkSubscriber``, but smaller: a subject with many subscribers holds one of these for each.
@usableFromInline
struct ValueSinkSubscriber<Input>: Subscriber {
    @usableFromInline let slot: SubscriptionSlot
    @usableFromInline let receiveValue: (Input) -> Void

    @inlinable @inline(__always)
    init(slot: SubscriptionSlot, receiveValue: @escaping (Input) -> Void) {
        self.slot = slot
        self.receiveValue = receiveValue
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        if slot.fill(subscription) { subscription.request(.unlimited) }
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        if !slot.isEnded { receiveValue(input) }
        return .none
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Never>) { _ = slot.finish() }

    @inlinable @inline(__always)
    var combineIdentifier: CombineIdentifier { slot.combineIdentifier }
}
