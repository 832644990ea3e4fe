extension AsyncSequence where Self: Sendable {
    /// A publisher of the elements of this sequence.
    ///
    /// Each subscription iterates over the sequence in a separate task, which is cancelled with the subscription. The next
    /// element is awaited only while there is demand, so the publisher finishes or fails only when a value is requested. If an
    /// iterator is isolated to an actor, a call that waits for the actor when the subscription is cancelled may still begin.
    public var publisher: some Publisher<Element, Failure> & Sendable { AsyncElements(sequence: self) }
}

/// A publisher of the elements of an asynchronous sequence.
private struct AsyncElements<Elements: AsyncSequence & Sendable>: GrammaticalPublisher, Sendable {
    typealias Output = Elements.Element
    typealias Failure = Elements.Failure
    let sequence: Elements

    func receive(subscriber: some Subscriber<Output, Failure>) {
        AsyncSubscription<Elements>(AnySubscriber(subscriber)).start(sequence)
    }
}

/// Iterates over an asynchronous sequence at the pace of the downstream's demand.
private final class AsyncSubscription<Elements: AsyncSequence & Sendable>: SubscriptionCore, @unchecked Sendable {
    // Sound: the outlet and the task protect their own state; the lock protects the rest.
    private let outlet: Outlet<AnySubscriber<Elements.Element, Elements.Failure>>
    private let work = RunningTask()
    private let guarded = Lock((demand: Subscribers.Demand.none, waiting: UnsafeContinuation<Void, Never>?.none))
    init(_ downstream: AnySubscriber<Elements.Element, Elements.Failure>) { outlet = Outlet(downstream) }

    func start(_ sequence: Elements) {
        outlet.send(subscription: self)
        let read: RunningTask.Body = { [self] _ in
            var iterator = sequence.makeAsyncIterator()
            do throws(Elements.Failure) {
                while await takeDemand(), let value = try await iterator.next(isolation: nil) { add(outlet.send(value)) }
                outlet.finish(.finished)
            } catch { outlet.finish(.failure(error)) }
            work.end()
        }
        WorkContext.bind(for: outlet.context) { work.start(priority: nil, read) }
    }

    /// Waits for demand, and reduces it by one value. Returns false if the subscription was cancelled.
    private func takeDemand() async -> Bool {
        await withUnsafeContinuation { turn in
            let isHere = guarded.withLock { guarded in
                if guarded.demand == .none, !outlet.isClosed { guarded.waiting = turn }
                guarded.demand -= 1
                return guarded.waiting == nil
            }
            if isHere { turn.resume() }
        }
        return !outlet.isClosed
    }

    private func add(_ demand: Subscribers.Demand) {
        guarded.withLock { guarded in
            // A waiting call of `takeDemand()` reduces the demand by one value.
            guarded.demand += guarded.waiting == nil ? demand : demand - 1
            return guarded.waiting.take()
        }?.resume()
    }

    override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        add(demand)
    }

    override func cancel() {
        outlet.close()
        work.cancel()
        add(.none)
    }

    override var description: String { "Async" }
}
