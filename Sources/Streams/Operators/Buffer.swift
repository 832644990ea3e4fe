import Synchronization

extension Publishers {
    /// When a buffer asks its upstream for values.
    public enum PrefetchStrategy: Hashable, Sendable {
        /// For as many as it has room for, at once, and for another one for each that has left it.
        case keepFull
        /// For all of them, at once.
        case byRequest
    }

    /// What a buffer does with a value that it has no room for.
    public enum BufferingStrategy<Failure: Error>: Sendable {
        /// It drops that value.
        case dropNewest
        /// It drops the value that has waited longest.
        case dropOldest
        /// It cancels its upstream, and fails when what is asked for by then, or next, has been sent; at once if nothing waits.
        @preconcurrency case customError(@Sendable () -> Failure)
    }

    /// A publisher that keeps values until they are asked for.
    public struct Buffer<Upstream: Publisher>: Operator, Attaching {
        /// Where the values come from; how many values may wait; when the upstream is asked for values.
        public let upstream: Upstream, size: Int, prefetch: PrefetchStrategy
        /// What is done with a value that there is no room for.
        public let whenFull: BufferingStrategy<Upstream.Failure>

        /// A publisher that keeps values until they are asked for.
        @inlinable public init(
            upstream: Upstream, size: Int, prefetch: PrefetchStrategy, whenFull: BufferingStrategy<Upstream.Failure>
        ) {
            (self.upstream, self.size, self.prefetch, self.whenFull) = (upstream, size, prefetch, whenFull)
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            precondition(size >= 0, "a buffer for \(size) values: pass how many may wait, zero or more")
            let demand = prefetch == .keepFull ? Subscribers.Demand.max(size) : .unlimited
            upstream.subscribe(BufferSubscriber(subscriber, named: "Buffer", size, whenFull, asking: demand))
        }
    }
}

extension Publishers.Buffer: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Keeps values until they are asked for; a failure of this publisher does not wait for them.
    @inlinable public func buffer(
        size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
    ) -> Publishers.Buffer<Self> { .init(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull) }
}

/// What waits in a buffer, and what is to be done next: the decisions, free of threads.
@usableFromInline struct BufferState<Value, Failure: Error>: @unchecked Sendable {
    // Sound: behind a lock.
    @usableFromInline enum Step {
        case send(Value), end(Subscribers.Completion<Failure>)
        /// What is next has been brought by another thread: an heir goes on, see ``Mailbox``.
        case handOver
        /// An heir sends, and too much waits for it: who brings more is held up.
        case holdUp
    }

    @usableFromInline var values = Queue<Value>()
    @usableFromInline var demand = Subscribers.Demand.none
    @usableFromInline var ending: Subscribers.Completion<Failure>?
    /// Whether the end does not wait for the values; whether it waits until something is asked for, if there are any.
    @usableFromInline var (isBroken, isHeld) = (false, false)
    /// Whether somebody is sending, and does the rest. At first that is who hands the subscription to the downstream.
    @usableFromInline var isSending = true
    /// The thread that sends, and whether another one has brought anything since it began. An heir sends whatever there is.
    @usableFromInline var (sender, hasVisitors, isHeir) = (currentThread(), false, false)
    @usableFromInline var size: Int
    @usableFromInline let whenFull: Publishers.BufferingStrategy<Failure>

    @inlinable init(_ size: Int, _ whenFull: Publishers.BufferingStrategy<Failure>) {
        (self.size, self.whenFull) = (size, whenFull)
    }

    /// Takes a value in. Values that are asked for, and wait only because another is being sent, take no room.
    /// - Returns: What has been dropped for want of room, and what makes the error if the buffer is to fail.
    @inlinable mutating func take(_ value: Value) -> (dropped: Value?, makeError: (@Sendable () -> Failure)?) {
        guard demand + size <= values.count else {
            values.append(value)
            return (nil, nil)
        }
        switch whenFull {
        case .dropNewest: return (value, nil)
        case .customError(let makeError): return (value, makeError)
        case .dropOldest:
            values.append(value)
            return (values.popFirst(), nil)
        }
    }

    /// Makes a change; returns what is to be done then, unless somebody is sending.
    @inlinable mutating func step(_ change: (inout Self) -> Void) -> Step? {
        change(&self)
        let thread = currentThread()
        if isSending {
            hasVisitors = hasVisitors || sender != thread
            return isFull && sender != thread ? .holdUp : nil
        }
        (sender, hasVisitors, isHeir) = (thread, false, false)
        return next()
    }

    /// What the one who sends is to do next. A failure waits for values only as far as they are asked for.
    @inlinable mutating func next(adding more: Subscribers.Demand = .none) -> Step? {
        isSending = true
        demand += more
        if demand != .none { isHeld = false }
        let isValueDue = demand != .none && !isBroken && !values.isEmpty
        let isEndDue = ending != nil && (values.isEmpty || ending?.error != nil && !isHeld)
        if isValueDue || isEndDue, hasVisitors, !isHeir { return .handOver }
        if isValueDue, let value = values.popFirst() {
            demand -= 1
            return .send(value)
        }
        if isEndDue, let ending { return .end(ending) }
        isSending = false
        return nil
    }

    /// Whether a few thousand values wait for an heir.
    @inlinable var isFull: Bool { isHeir && isSending && demand != .none && values.count >= 2048 }

    /// An heir begins to send.
    @usableFromInline mutating func inherit() { (sender, isHeir) = (currentThread(), true) }
}

/// Keeps values that come before they are asked for; sends them one at a time, whoever adds them or asks for them.
@usableFromInline final class BufferSubscriber<Downstream: Subscriber>: Intercepting<Downstream>, @unchecked Sendable {
    // Sound: as the base class says; `state` is behind its lock; the closures are set before anybody else has this.
    @usableFromInline typealias State = BufferState<Downstream.Input, Downstream.Failure>
    @usableFromInline let state: Lock<State>
    /// What the upstream is asked for at first; then, if that is limited, for another value for each that has left.
    @usableFromInline let prefetch: Subscribers.Demand
    /// What else to do when something is asked for, and when all is over.
    @usableFromInline var (onRequest, onEnd): ((() -> Void)?, (() -> Void)?)
    /// Formed where the types are known, which keeps it specialised behind `any Subscription`.
    @usableFromInline let drain: (BufferSubscriber, (inout State) -> Void) -> Subscribers.Demand
    @usableFromInline let inherit: (BufferSubscriber) -> Void

    @inlinable init(
        _ downstream: Downstream, named name: StaticString, _ size: Int,
        _ whenFull: Publishers.BufferingStrategy<Downstream.Failure>, asking prefetch: Subscribers.Demand
    ) {
        state = Lock(State(size, whenFull))
        self.prefetch = prefetch
        drain = { $0.drainSpecialised($1) }
        inherit = { $0.inheritSpecialised() }
        super.init(downstream, named: name)
    }

    @inlinable override func receive(subscription: any Subscription) {
        guard inlet.fill(subscription) else { return }
        inlet.request(prefetch)
        start { _ in }
    }

    /// Hands the subscription on, and from then on sends what is asked for.
    @inlinable func start(_ prepare: (inout State) -> Void) {
        let thread = currentThread()
        state.withLock { $0.sender = thread }
        outlet.send(subscription: self)
        let demand = drainSpecialised { state in
            prepare(&state)
            state.isSending = false
        }
        inlet.request(demand)
    }

    @inlinable override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        if inlet.isEnded { return .none }
        // Released outside the lock, as is all that is user code.
        var overflow: (dropped: Downstream.Input?, makeError: (@Sendable () -> Downstream.Failure)?)
        let demand = drainSpecialised { overflow = $0.take(input) }
        guard let error = overflow.makeError?() else { return demand }
        inlet.cancel()
        return drainSpecialised { ($0.ending, $0.isHeld) = (.failure(error), $0.demand == .none) }
    }

    @inlinable override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        guard inlet.finish() else { return }
        _ = drainSpecialised { ($0.ending, $0.isBroken) = (completion, completion.error != nil) }
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        inlet.request(drain(self) { $0.demand += demand })
        if demand != .none { onRequest?() }
    }

    @usableFromInline override func cancel() {
        super.cancel()
        letGo()
    }

    /// Changes the state, and sends what may leave, unless somebody is doing so; returns what the upstream is to be asked for.
    @inlinable func drainSpecialised(_ change: (inout State) -> Void) -> Subscribers.Demand {
        var slice: TimeSlice?
        return send(state.withLock { UncheckedTransfer($0.step(change)) }.value, &slice)
    }

    @inlinable func inheritSpecialised() {
        var slice: TimeSlice? = TimeSlice()
        let first = state.withLock { state in
            state.inherit()
            return UncheckedTransfer(state.next())
        }.value
        inlet.request(send(first, &slice))
    }

    @inlinable func send(_ first: State.Step?, _ slice: inout TimeSlice?) -> Subscribers.Demand {
        var (step, sent) = (first, 0)
        loop: while let next = step {
            switch next {
            case .end(let end):
                outlet.finish(end)
                letGo()
                return .none
            case .handOver:
                handOver()
                break loop
            case .holdUp:
                Handover.holdUp { state.withLock { $0.isFull } }
                break loop
            case .send(let value):
                sent += 1
                let more = outlet.send(value)
                if slice?.isOver() == true {
                    state.withLock { $0.demand += more }
                    handOver()
                    break loop
                }
                step = state.withLock { UncheckedTransfer($0.next(adding: more)) }.value
            }
        }
        return prefetch == .unlimited ? .none : .max(sent)
    }

    @inlinable func handOver() { Handover.run { [self] in inherit(self) } }

    /// Lets go of all that is kept.
    @usableFromInline func letGo() {
        var over = State(0, .dropNewest)
        over.ending = .finished
        let kept = state.withLock { state in
            defer { state = over }
            return UncheckedTransfer(state)
        }
        discard(kept)
        onEnd?()
    }
}
