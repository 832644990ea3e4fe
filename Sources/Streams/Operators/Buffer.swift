import Synchronization

extension Publishers {
    /// How a buffer requests values from its upstream.
    public enum PrefetchStrategy: Hashable, Sendable {
        /// On subscription, requests as many values as the buffer can hold; then another one for each value that is sent.
        case keepFull
        /// On subscription, requests an unlimited number of values.
        case byRequest
    }

    /// What a buffer does with a value that arrives when it is full.
    public enum BufferingStrategy<Failure: Error>: Sendable {
        /// Drops the new value.
        case dropNewest
        /// Drops the oldest value in the buffer, and keeps the new one.
        case dropOldest
        /// Drops the new value, cancels the upstream, and fails once all values that were requested have been delivered. If none
        /// is requested at that moment, the failure follows the values of the next request; if the buffer is empty, it is
        /// delivered at once.
        @preconcurrency case customError(@Sendable () -> Failure)
    }

    /// A publisher that keeps values until they are requested.
    public struct Buffer<Upstream: Publisher>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The number of values that the buffer holds.
        public let size: Int
        /// The strategy that determines when the buffer requests values from the upstream.
        public let prefetch: PrefetchStrategy
        /// What the buffer does with a value that arrives when it is full.
        public let whenFull: BufferingStrategy<Upstream.Failure>

        /// Creates a publisher that keeps values until they are requested.
        @inlinable public init(
            upstream: Upstream, size: Int, prefetch: PrefetchStrategy, whenFull: BufferingStrategy<Upstream.Failure>
        ) {
            self.upstream = upstream
            self.size = size
            self.prefetch = prefetch
            self.whenFull = whenFull
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
    /// Keeps values until the downstream requests them.
    ///
    /// When the upstream finishes, the buffered values are still delivered first. When it fails, they are dropped, and the
    /// failure is delivered at once.
    /// - Parameters:
    ///   - size: The number of values that may wait; zero or more. Values that were requested, and wait only because another one
    ///     is being delivered, do not count.
    ///   - prefetch: How the buffer requests values from the upstream.
    ///   - whenFull: What the buffer does with a value that arrives when it is full.
    @inlinable public func buffer(
        size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
    ) -> Publishers.Buffer<Self> { .init(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull) }
}

/// The contents of a buffer, and the logic that decides what to do next. A plain value, without threads.
@usableFromInline struct BufferState<Value, Failure: Error>: @unchecked Sendable {
    // Sound: only used behind a lock.
    @usableFromInline enum Step {
        case send(Value)
        case end(Subscribers.Completion<Failure>)
        /// Another thread has added the next value or the completion, so an heir sends it; see ``Mailbox``.
        case handOver
        /// An heir is sending and has fallen far behind: the caller is made to wait.
        case holdUp
    }

    @usableFromInline var values = Queue<Value>()
    @usableFromInline var demand = Subscribers.Demand.none
    @usableFromInline var ending: Subscribers.Completion<Failure>?
    /// `isBroken`: the completion does not wait for the buffered values. `isHeld`: a failure waits for the next request, as long
    /// as values are buffered.
    @usableFromInline var (isBroken, isHeld) = (false, false)
    /// Whether a call is sending; that call then also sends whatever is added meanwhile. Initially true: the first is the call
    /// that hands the subscription to the downstream.
    @usableFromInline var isSending = true
    /// The thread that sends; whether another thread has changed the state since it began; and whether it is an heir, which sends
    /// everything.
    @usableFromInline var (sender, hasVisitors, isHeir) = (currentThread(), false, false)
    @usableFromInline var size: Int
    @usableFromInline let whenFull: Publishers.BufferingStrategy<Failure>

    @inlinable init(_ size: Int, _ whenFull: Publishers.BufferingStrategy<Failure>) {
        self.size = size
        self.whenFull = whenFull
    }

    /// Adds a value, or applies the overflow strategy if the buffer is full. Values that were requested, and wait only because
    /// another one is being sent, take no room.
    /// - Returns: The value dropped for lack of room, if any, and the closure that makes the error if the buffer is to fail.
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

    /// Changes the state and returns what the caller is to do next. While another call is sending, that is nil, or `holdUp` if
    /// that call has fallen far behind.
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

    /// Returns what the sending call is to do next; nil ends its turn. A failure waits only for values that have been requested.
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

    /// Whether an heir is sending while 2048 or more values wait.
    @inlinable var isFull: Bool { isHeir && isSending && demand != .none && values.count >= 2048 }

    /// Makes the current thread the sender, as an heir.
    @usableFromInline mutating func inherit() { (sender, isHeir) = (currentThread(), true) }
}

/// Keeps values that arrive before they are requested. Sends them one at a time, whichever threads add and request them.
@usableFromInline final class BufferSubscriber<Downstream: Subscriber>: Intercepting<Downstream>, @unchecked Sendable {
    // Sound: see the base class. `state` is behind its lock; the closures are set before other threads can reach this object.
    @usableFromInline typealias State = BufferState<Downstream.Input, Downstream.Failure>
    @usableFromInline let state: Lock<State>
    /// The initial request to the upstream. If it is limited, one more value is requested for each value sent.
    @usableFromInline let prefetch: Subscribers.Demand
    /// Additional actions: `onRequest` after each request for values, `onEnd` after the end, whatever its reason.
    @usableFromInline var (onRequest, onEnd): ((() -> Void)?, (() -> Void)?)
    /// A closure formed where the types are known, so that a call through `any Subscription` still runs specialized code.
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

    /// Hands the subscription to the downstream, then sends what has been requested.
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
        // What is dropped is released outside the lock, since its deinit may be user code.
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

    /// Changes the state, then sends the values that are due unless another call is sending. Returns the demand for the upstream.
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
                yieldThread()
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

    /// Releases everything that the buffer holds, and ends it.
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
