extension AsyncSequence where Self: Sendable {
    /// A publisher of the elements, as many as are asked for.
    ///
    /// Each subscriber iterates anew, in a task of its own, which is cancelled with the subscription. An element is awaited
    /// only when there is demand for it, and so the end is noticed only then.
    public var publisher: Publishers.Async<Self> { Publishers.Async(sequence: self) }
}

extension Publishers {
    /// A publisher of the elements of an asynchronous sequence.
    public struct Async<Elements: AsyncSequence & Sendable>: GrammaticalPublisher, Sendable {
        /// What is sent.
        public typealias Output = Elements.Element
        /// How it may fail: as the sequence may.
        public typealias Failure = Elements.Failure
        /// What is iterated over.
        public let sequence: Elements

        /// Attaches a subscriber.
        public func receive(subscriber: some Subscriber<Output, Failure>) {
            AsyncSubscription<Elements>(AnySubscriber(subscriber)).start(sequence)
        }
    }
}

/// Iterates over an asynchronous sequence as fast as the downstream asks.
private final class AsyncSubscription<Elements: AsyncSequence & Sendable>: SubscriptionCore, @unchecked Sendable {
    // Sound: the outlet and the task guard themselves; the rest is behind the lock.
    private let outlet: Outlet<AnySubscriber<Elements.Element, Elements.Failure>>
    private let work = RunningTask()
    private let guarded = Lock((demand: Subscribers.Demand.none, waiting: UnsafeContinuation<Void, Never>?.none))
    init(_ downstream: AnySubscriber<Elements.Element, Elements.Failure>) { outlet = Outlet(downstream) }

    func start(_ sequence: Elements) {
        outlet.send(subscription: self)
        work.start(priority: nil) { [self] in
            var iterator = sequence.makeAsyncIterator()
            do throws(Elements.Failure) {
                while await takeDemand(), let value = try await iterator.next(isolation: nil) { add(outlet.send(value)) }
                outlet.finish(.finished)
            } catch { outlet.finish(.failure(error)) }
            work.end()
        }
    }

    /// Waits until a value is asked for, and takes it off the demand; returns false if the subscription was cancelled.
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
            // Whoever waits takes one.
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
