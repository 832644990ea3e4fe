import Synchronization

/// A subscription that keeps values until they are requested, and sends them one at a time, from any threads: the lock and the
/// loop around a ``Delivery``.
@usableFromInline package class DeliverySubscription<Downstream: Subscriber>: SubscriptionCore, @unchecked Sendable {
    // Sound: the lock protects the delivery, and the outlet protects itself.
    @usableFromInline package typealias State = Delivery<Downstream.Input, Downstream.Failure>
    @usableFromInline let outlet: Outlet<Downstream>
    @usableFromInline let delivery: Lock<State>
    @usableFromInline let name: String
    /// Receives the calls through a class or a protocol. Formed where the types are known, so that they stay specialized.
    @usableFromInline let call: (DeliverySubscription, Call) -> Void

    @usableFromInline enum Call {
        case request(Subscribers.Demand)
        case cancel
        case takeOver
    }

    /// Takes the next value of the source, and returns the sender's next action; nil if there is no source. Formed in the same way.
    @usableFromInline let refill: ((DeliverySubscription) -> State.Action)?

    @inlinable
    package init(_ downstream: Downstream, named name: String, refill: ((DeliverySubscription) -> State.Action)? = nil) {
        outlet = Outlet(downstream)
        self.refill = refill
        delivery = Lock(State())
        self.name = name
        call = { subscription, call in
            switch call {
            case .request(let demand): subscription.didSend(subscription.deliver { $0.request(demand) })
            case .cancel: subscription.end()
            case .takeOver: subscription.takeOver()
            }
        }
    }

    /// Sends the subscription to the downstream, then the requested values.
    ///
    /// - Parameter whenCancelled: Called when the subscription is cancelled before its end.
    @inlinable package final func start(whenCancelled: (() -> Void)? = nil) {
        delivery.withLock { delivery in
            delivery.begin(on: currentThread())
            delivery.whenCancelled = whenCancelled
        }
        outlet.send(subscription: self)
        didSend(deliver { $0.start() })
    }

    /// Sends a value, or keeps it until it is requested.
    @inlinable package final func send(_ value: Downstream.Input) { didSend(deliver { $0.enqueue(value) }) }

    /// Ends with a completion.
    @inlinable package final func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        var dropped = Queue<Downstream.Input>()
        let sent = deliver { delivery in
            let (action, values) = delivery.finish(completion)
            dropped = values
            return action
        }
        discard(dropped)
        didSend(sent)
    }

    /// Changes the delivery, and performs the resulting actions.
    ///
    /// - Parameter change: Changes the delivery, and returns the first action. No user code may run inside, not even the
    ///   deinitializer of a value.
    /// - Returns: The number of values sent.
    @inlinable final func deliver(_ change: (inout State) -> State.Action) -> Int {
        perform(delivery.withLock(change), until: nil)
    }

    @inlinable final func takeOver() { didSend(perform(delivery.withLock { $0.takeOver() }, until: TimeSlice())) }

    /// Performs actions until there is none, or the slice is over.
    @inlinable final func perform(_ first: State.Action, until slice: TimeSlice?) -> Int {
        var slice = slice
        var action = first
        var sent = 0
        while true {
            switch action {
            case .send(let value):
                sent += 1
                let more = deliver(value)
                let isLate = slice?.isOver() == true
                action = delivery.withLock { $0.next(adding: more, isLate: isLate) }
            case .finish(let completion):
                // First, so that a cancellation by the downstream counts as one after the end.
                let kept = delivery.withLock { $0.cancel() }
                discard(kept)
                outlet.finish(completion)
                if kept != nil { release() }
                return sent
            case .handOver:
                runDetached { [self] in call(self, .takeOver) }
                return sent
            case .refill: action = refill?(self) ?? .idle
            case .idle: return sent
            }
        }
    }

    /// Sends a value; returns the demand that the downstream returns. Not inlined: with the whole chain inlined into the loop above,
    /// the compiler (6.3) fails on long chains.
    @inlinable @inline(never) final func deliver(_ value: Downstream.Input) -> Subscribers.Demand { outlet.send(value) }

    /// Ends without a completion, and releases the kept values.
    @inlinable final func end() {
        outlet.close()
        guard let kept = delivery.withLock({ $0.cancel() }) else { return }
        release()
        kept.whenCancelled?()
    }

    /// Called after values were sent, with their number. For subclasses.
    @usableFromInline func didSend(_ count: Int) {}

    /// Releases the other contents of the subscription. Called once, at its end. For subclasses.
    @usableFromInline func release() {}

    package override func request(_ demand: Subscribers.Demand) { call(self, .request(demand)) }
    package override func cancel() { call(self, .cancel) }

    /// The context that the downstream provides; see `Subscriber._subscriberContext`.
    @usableFromInline final var _subscriberContext: (any _SubscriberContext)? { outlet.context }
    package override var isSpent: Bool { outlet.isClosed }
    package override var description: String { name }
}
