import Synchronization

/// A subscription that feeds one downstream from one upstream after another, for operators that continue after its end. The
/// downstream sees only this subscription. Its open demand is requested from each upstream in turn.
@usableFromInline final class SerialSubscription<Downstream: Subscriber>: SubscriptionCore, @unchecked Sendable {
    // Sound: the outlet guards itself; `state` is behind a lock.
    @usableFromInline let outlet: Outlet<Downstream>
    @usableFromInline let name: StaticString
    /// True if the demand that the downstream returns is returned to the upstream, and not requested from it.
    @usableFromInline let returnsDemand: Bool
    @usableFromInline let state = Lock(SerialState())

    @inlinable init(_ downstream: Downstream, named name: StaticString, returnsDemand: Bool = true) {
        outlet = Outlet(downstream)
        self.name = name
        self.returnsDemand = returnsDemand
        super.init()
    }

    /// Continues with another upstream, unless this subscription is closed: the downstream may have cancelled in the closure that
    /// created the upstream. The previous upstream must have ended.
    ///
    /// - Parameter upstream: The next upstream.
    /// - Parameter end: Called with the completion of `upstream`.
    @inlinable @inline(__always)
    func follow<P: Publisher>(_ upstream: P, atEnd end: @escaping (Subscribers.Completion<P.Failure>) -> Void)
    where P.Output == Downstream.Input { subscribe(SerialUpstreamSubscriber(self, end), to: upstream) }

    /// Continues with another upstream, and finishes when it finishes.
    ///
    /// - Parameter upstream: The next upstream.
    /// - Parameter fail: Called with the error if `upstream` fails.
    @inlinable @inline(__always) func follow<P: Publisher>(_ upstream: P, onFailure fail: @escaping (P.Failure) -> Void)
    where P.Output == Downstream.Input {
        follow(upstream, atEnd: { if let error = $0.error { fail(error) } else { self.finish(.finished) } })
    }

    /// Subscribes to an upstream, unless closed. If called while another one is being subscribed to, leaves this to that call, so
    /// that a long row of upstreams needs no stack.
    @inlinable @inline(__always)
    func subscribe<P: Publisher>(_ subscriber: SerialUpstreamSubscriber<P.Failure, Downstream>, to upstream: P)
    where P.Output == Downstream.Input {
        let isMine = state.withLock { state in
            defer { state.isSubscribing = true }
            if state.isSubscribing { state.next = { upstream._receive(trusting: subscriber, named: self.name) } }
            return !state.isSubscribing
        }
        guard isMine else { return }
        if !outlet.isClosed { upstream._receive(trusting: subscriber, named: name) }
        subscribeToNext()
    }

    @inlinable func subscribeToNext() {
        while let next = state.withLock({ state in
            state.isSubscribing = state.next != nil
            return UncheckedTransfer(state.next.take())
        }).value {
            if !outlet.isClosed { next() }
        }
    }

    /// Makes a subscription the current one, from which values are requested and which is cancelled.
    ///
    /// - Returns: The state before; nil if this subscription is closed: then `core` has been cancelled.
    @usableFromInline func take(_ core: SubscriptionCore) -> SerialState? {
        let before = state.withLock { state -> SerialState? in
            guard !outlet.isClosed else { return nil }
            defer { (state.current, state.isStarted) = (core, true) }
            return state
        }
        if before == nil { core.cancel() }
        return before
    }

    /// Indicates whether a value has been sent.
    @usableFromInline var hasSent: Bool { state.withLock { $0.hasSent } }

    @inlinable func receive(subscription: any Subscription) {
        let core = SubscriptionCore.adopting(subscription)
        guard let before = take(core) else { return }
        guard before.isStarted else { return outlet.send(subscription: self) }
        if before.demand != .none { core.request(before.demand) }
    }

    @inlinable func send(_ value: Downstream.Input) -> Subscribers.Demand {
        let isDue = state.withLock { state in
            precondition(
                state.demand != .none || outlet.isClosed || !state.isStarted,
                "\(name) got a value that was not requested: its upstream must send no more than request(_:) asks for")
            defer { state.demand -= 1 }
            if state.demand != .none { state.hasSent = true }
            return state.demand != .none
        }
        guard isDue else { return .none }
        let more = outlet.send(value)
        if more == .none { return .none }
        if returnsDemand { state.withLock { $0.demand += more } } else { request(more) }
        return returnsDemand ? more : .none
    }

    @inlinable func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        if state.withLock({ $0.isStarted }) { outlet.finish(completion) }
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        state.withLock { state in
            state.demand += demand
            return state.current
        }?.request(demand)
    }

    override func cancel() {
        outlet.close()
        state.withLock { $0.current.take() }?.cancel()
    }

    /// The context that the downstream provides; see `Subscriber._subscriberContext`.
    @usableFromInline var _subscriberContext: AnyObject? { outlet.context }

    override var description: String { name.description }
}

/// The mutable state of a ``SerialSubscription``. Not nested in it: a type within a generic one is looked up at each use.
@usableFromInline struct SerialState: @unchecked Sendable {
    // Sound: only used behind the lock.
    /// The current upstream's subscription, or the cancellable of a wait for the next one.
    @usableFromInline var current: SubscriptionCore?
    @usableFromInline var demand = Subscribers.Demand.none
    @usableFromInline var isStarted = false
    @usableFromInline var hasSent = false
    /// True while a call subscribes to an upstream.
    @usableFromInline var isSubscribing = false
    /// Subscribes to the upstream after that one.
    @usableFromInline var next: (() -> Void)?

    @inlinable init() {}
}

/// The subscriber of one upstream of a ``SerialSubscription``. It relies on the grammar; ``SerialSubscription`` attaches it
/// behind a guard where needed.
@usableFromInline struct SerialUpstreamSubscriber<Failure: Error, Downstream: Subscriber>: Subscriber {
    @usableFromInline let serial: SerialSubscription<Downstream>
    @usableFromInline let end: (Subscribers.Completion<Failure>) -> Void

    @inlinable init(_ serial: SerialSubscription<Downstream>, _ end: @escaping (Subscribers.Completion<Failure>) -> Void) {
        self.serial = serial
        self.end = end
    }

    @inlinable var combineIdentifier: CombineIdentifier { serial.combineIdentifier }
    @inlinable var _subscriberContext: AnyObject? { serial._subscriberContext }
    @inlinable func receive(subscription: any Subscription) { serial.receive(subscription: subscription) }
    @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand { serial.send(input) }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        discard(serial.state.withLock { $0.current.take() })
        end(completion)
    }
}
