/// The decisions of a subscription that keeps values until they are requested, and sends them one at a time.
///
/// A plain value without subscriber and lock; a ``DeliverySubscription`` is the shell around it. Each call changes the delivery
/// and returns the caller's next action. One thread at a time is the *sender*: it takes actions until the action is to be idle,
/// and calls ``next(adding:isLate:)`` after each. The sender also does the work of calls during that time:
///
///     thread A                       thread B                       successor
///     --------                       --------                       ---------
///     request(2): idle
///     enqueue(1): send 1
///     sends 1, with no lock held
///                                    enqueue(2): idle
///     next: hand over
///                                                                   take over: send 2
///                                                                   sends 2
///                                                                   next: idle
///
/// A sender sends the values of its own thread. Once another thread has added a value or demand, it hands the rest over to a
/// successor: a job that belongs to no sender, which runs detached.
@usableFromInline package struct Delivery<Value, Failure: Error>: @unchecked Sendable {
    // Sound: only used behind a lock.
    @usableFromInline package typealias Completion = Subscribers.Completion<Failure>

    /// The caller's next action.
    @usableFromInline package enum Action {
        case send(Value)
        /// Send the completion, which is the last action.
        case finish(Completion)
        /// Let a successor call ``takeOver(on:)``.
        case handOver
        /// Take the next value of the source, and call ``supply(_:)`` and ``next(adding:isLate:)``.
        case refill
        case idle
    }

    /// The values that a completion waits for.
    @usableFromInline enum Patience {
        case allValues
        case requestedValues
        /// The values of the next request.
        case nextRequest
    }

    @usableFromInline var values: Queue<Value>
    @usableFromInline var demand: Subscribers.Demand
    @usableFromInline var completion: Completion?
    @usableFromInline var patience: Patience
    /// True while there is a sender. Initially true: the first sender is the thread that subscribes, until ``start(on:)``.
    @usableFromInline var isSending: Bool
    @usableFromInline var isCancelled: Bool
    @usableFromInline var sender: UInt
    /// True if another thread has changed the delivery since the sender began.
    @usableFromInline var hasVisitors: Bool
    /// True if the sender is a successor, which sends the values of all threads.
    @usableFromInline var isSuccessor: Bool
    /// True if the values come from a source, from which the sender takes them one by one.
    @usableFromInline var hasSource: Bool
    /// Called when the subscription is cancelled before its end.
    @usableFromInline var whenCancelled: (() -> Void)?

    // Not as initial values of the properties, which would not be specialized.
    @inlinable package init(on thread: UInt = currentThread()) {
        values = Queue()
        demand = .none
        patience = .allValues
        isSending = true
        isCancelled = false
        sender = thread
        hasVisitors = false
        isSuccessor = false
        hasSource = false
    }

    /// Ends the subscribing. What other threads have added meanwhile is handed over.
    @inlinable package mutating func start() -> Action { next() }

    /// Adds demand.
    @inlinable package mutating func request(_ demand: Subscribers.Demand, on thread: UInt = currentThread()) -> Action {
        self.demand += demand
        return nextUnlessSending(on: thread)
    }

    /// Adds a value, unless there is a completion.
    @inlinable package mutating func enqueue(_ value: Value, on thread: UInt = currentThread()) -> Action {
        if isCancelled || completion != nil { return .idle }
        // If nothing waits, the value does not pass through the queue.
        if !isSending, demand != .none {
            begin(on: thread)
            demand -= 1
            return .send(value)
        }
        values.append(value)
        return nextUnlessSending(on: thread)
    }

    /// Adds the next value of the source. Only for the sender.
    @inlinable package mutating func supply(_ value: Value) {
        hasSource = true
        values.append(value)
    }

    /// Adds the last value, and finishes after it.
    @inlinable package mutating func enqueueLast(_ value: Value, on thread: UInt = currentThread()) -> Action {
        let action = enqueue(value, on: thread)
        if !isCancelled, completion == nil { completion = .finished }
        return action
    }

    /// Adds the completion, unless there is one. It waits for the values, while a failure replaces them.
    ///
    /// - Returns: The caller's next action, and the values that are dropped, to be released without the lock.
    @inlinable package mutating func finish(
        _ completion: Completion, on thread: UInt = currentThread()
    ) -> (action: Action, dropped: Queue<Value>) {
        if isCancelled || self.completion != nil { return (.idle, Queue()) }
        self.completion = completion
        var dropped = Queue<Value>()
        if case .failure = completion { swap(&dropped, &values) }
        return (nextUnlessSending(on: thread), dropped)
    }

    /// Fails once all values that are requested now have been sent; if none is, once those of the next request have.
    @inlinable package mutating func failAfterRequested(_ error: Failure, on thread: UInt = currentThread()) -> Action {
        if isCancelled || completion != nil { return .idle }
        completion = .failure(error)
        patience = demand == .none ? .nextRequest : .requestedValues
        return nextUnlessSending(on: thread)
    }

    /// Ends without a completion.
    ///
    /// - Returns: The kept values, to be released without the lock; nil if this was called before.
    @inlinable package mutating func cancel() -> Delivery? {
        if isCancelled { return nil }
        var kept = Delivery(on: sender)
        kept.isCancelled = true
        swap(&kept, &self)
        return kept
    }

    /// Returns the sender's next action. Call it after each value sent.
    ///
    /// - Parameters:
    ///   - more: The demand that the downstream has returned.
    ///   - isLate: Whether the sender's time slice has ended, so that a successor must send the rest.
    @inlinable package mutating func next(adding more: Subscribers.Demand = .none, isLate: Bool = false) -> Action {
        if isCancelled { return .idle }
        demand += more
        if demand != .none, case .nextRequest = patience { patience = .requestedValues }
        let sendsValue = demand != .none && !values.isEmpty
        guard sendsValue || isEndDue else {
            if hasSource, values.isEmpty { return .refill }
            isSending = false
            return .idle
        }
        if isLate || hasVisitors && !isSuccessor { return .handOver }
        if sendsValue, let value = values.popFirst() {
            demand -= 1
            return .send(value)
        }
        return completion.map { Action.finish($0) } ?? .idle
    }

    /// Makes a successor the sender, and returns its first action.
    @inlinable package mutating func takeOver(on thread: UInt = currentThread()) -> Action {
        sender = thread
        isSuccessor = true
        return next()
    }

    /// True if the completion waits only for requested values.
    @inlinable var isEndDue: Bool {
        guard completion != nil else { return false }
        if case .requestedValues = patience { return true }
        return values.isEmpty
    }

    /// Makes a thread the sender, unless there is one, and returns its first action.
    @inlinable mutating func nextUnlessSending(on thread: UInt) -> Action {
        if isSending || isCancelled {
            if sender != thread { hasVisitors = true }
            return .idle
        }
        begin(on: thread)
        return next()
    }

    @inlinable mutating func begin(on thread: UInt) {
        isSending = true
        sender = thread
        hasVisitors = false
        isSuccessor = false
    }
}
