import Synchronization

/// One upstream after another into one downstream: what the operators that go on after a failure share. The downstream sees one
/// subscription, this one. What it has asked for and not got is asked of each upstream in turn.
@usableFromInline final class SerialSubscription<Downstream: Subscriber>: SubscriptionCore, @unchecked Sendable {
    // Sound: the outlet guards itself, `state` is behind its lock.
    @usableFromInline let outlet: Outlet<Downstream>
    @usableFromInline let name: StaticString
    /// Whether a value that nobody asked for traps also before the subscription, where it otherwise goes unheard; and
    /// whether a delivery returns what the downstream does, or asks for that.
    @usableFromInline let (isStrict, returnsDemand): (Bool, Bool)
    @usableFromInline let state = Lock(State())

    @usableFromInline struct State {
        /// The upstream of the moment, or what is waited for before the next.
        @usableFromInline var current: SubscriptionCore?
        @usableFromInline var demand = Subscribers.Demand.none
        @usableFromInline var isStarted = false
    }

    @inlinable init(_ downstream: Downstream, named name: StaticString, isStrict: Bool = true, returnsDemand: Bool = true) {
        outlet = Outlet(downstream)
        (self.name, self.isStrict, self.returnsDemand) = (name, isStrict, returnsDemand)
        super.init()
    }
    /// Goes on with an upstream, the only one by now; at its end `end` says what to do.
    @inlinable @inline(__always)
    func follow<P: Publisher>(_ upstream: P, atEnd end: @escaping (Subscribers.Completion<P.Failure>) -> Void)
    where P.Output == Downstream.Input { upstream._receive(trusting: SerialUpstreamSubscriber(self, end), named: name) }

    /// Goes on with an upstream, and ends when it finishes.
    @inlinable @inline(__always) func follow<P: Publisher>(_ upstream: P, onFailure fail: @escaping (P.Failure) -> Void)
    where P.Output == Downstream.Input {
        follow(upstream, atEnd: { if let error = $0.error { fail(error) } else { self.finish(.finished) } })
    }

    /// Makes something the one to ask and to cancel, and returns the state before; cancels it and returns nil if nobody wants more.
    @usableFromInline func take(_ core: SubscriptionCore) -> State? {
        let before = state.withLock { state -> State? in
            guard !outlet.isClosed else { return nil }
            defer { (state.current, state.isStarted) = (core, true) }
            return state
        }
        if before == nil { core.cancel() }
        return before
    }

    @inlinable func receive(subscription: any Subscription) {
        let core = SubscriptionCore.adopting(subscription)
        guard let before = take(core) else { return }
        guard before.isStarted else { return outlet.send(subscription: self) }
        if before.demand != .none { core.request(before.demand) }
    }

    @inlinable func send(_ value: Downstream.Input) -> Subscribers.Demand {
        let isDue = state.withLock { state in
            precondition(
                state.demand != .none || outlet.isClosed || !(isStrict || state.isStarted),
                "\(name) got a value that was not requested: its upstream must send no more than request(_:) asks for")
            defer { state.demand -= 1 }
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

    @usableFromInline override func cancel() {
        outlet.close()
        state.withLock { $0.current.take() }?.cancel()
    }

    /// What the downstream lends.
    @usableFromInline var _subscriberContext: AnyObject? { outlet.context }

    @usableFromInline override var description: String { name.description }
}

/// Receives what one of the upstreams of a ``SerialSubscription`` sends. Trusts it: guarded, where that must be.
@usableFromInline struct SerialUpstreamSubscriber<Failure: Error, Downstream: Subscriber>: Subscriber {
    @usableFromInline let serial: SerialSubscription<Downstream>
    @usableFromInline let end: (Subscribers.Completion<Failure>) -> Void

    @inlinable init(_ serial: SerialSubscription<Downstream>, _ end: @escaping (Subscribers.Completion<Failure>) -> Void) {
        (self.serial, self.end) = (serial, end)
    }

    @inlinable var combineIdentifier: CombineIdentifier { serial.combineIdentifier }
    @inlinable var _subscriberContext: AnyObject? { serial._subscriberContext }
    @inlinable var _trampoline: ObjectIdentifier? { serial.outlet._trampoline }
    @inlinable func receive(subscription: any Subscription) { serial.receive(subscription: subscription) }
    @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand { serial.send(input) }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        discard(serial.state.withLock { $0.current.take() })
        end(completion)
    }
}
