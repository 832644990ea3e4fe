import Synchronization

/// A publisher of one result that becomes available later and is the same for every subscriber.
///
/// The work starts when the future is created. Wrap the future in ``Deferred`` to start it on subscription.
/// ```swift
/// let answer = Future<Int, Never> { promise in DispatchQueue.global().async { promise(.success(42)) } }
/// ```
public final class Future<Output, Failure: Error>: GrammaticalPublisher, @unchecked Sendable {
    // Sound: `guarded` protects all state; the result is shared by all subscribers, as in Combine.
    /// Fulfills the future. The first call counts, and later ones do nothing. Safe to call from any thread.
    public typealias Promise = @Sendable (Result<Output, Failure>) -> Void
    @usableFromInline typealias Waiting = FutureWaiter<Output, Failure>
    @usableFromInline let guarded = Lock(Guarded())

    @usableFromInline struct Guarded: @unchecked Sendable {
        // Sound: accessed only with the lock held.
        @usableFromInline var result: Result<Output, Failure>?
        /// The subscriptions that wait for the result. Those that were cancelled stay until they are the greater part.
        @usableFromInline var waiting: [Waiting]
        @usableFromInline var cancelledCount = 0
        @inlinable init() { waiting = [] }
    }

    /// Creates a future and starts its work.
    ///
    /// - Parameter attemptToFulfill: Starts the work. Called at once, on the calling thread, with the promise to fulfill.
    @inlinable public init(_ attemptToFulfill: (@escaping Promise) -> Void) { attemptToFulfill { [self] in fulfil($0) } }

    /// Stores the result, unless there is one, and notifies those who wait for it.
    @inlinable func fulfil(_ result: Result<Output, Failure>) {
        var waiters: [Waiting] = []
        guarded.withLock { guarded in
            if guarded.result == nil { guarded.result = result }
            swap(&waiters, &guarded.waiting)
        }
        for waiter in waiters { settle(waiter) }
    }

    /// Notifies a subscription that the result is available. A failure is sent without demand.
    @inlinable func settle(_ subscription: Waiting) {
        if case .failure = settled { subscription.note(3) } else { subscription.note(2) }
    }

    /// Removes a subscription that was cancelled, if it waits.
    @inlinable func forget(_ subscription: Waiting) {
        // Released outside the lock.
        let before = guarded.withLock { guarded -> [Waiting] in
            guard subscription.isWaiting else { return [] }
            subscription.isWaiting = false
            guarded.cancelledCount += 1
            guard guarded.cancelledCount > 16, guarded.cancelledCount > guarded.waiting.count / 2 else { return [] }
            let before = guarded.waiting
            guarded.waiting = before.filter(\.isWaiting)
            guarded.cancelledCount = 0
            return before
        }
        discard(before)
    }

    @inlinable var settled: Result<Output, Failure>? { guarded.withLock { UncheckedTransfer($0.result) }.value }

    /// Adds a subscription to those that wait or, if the result is available, notifies it. Not inlined: inlining it makes the
    /// compiler (6.3) fail.
    @inlinable @inline(never) func wait(_ subscription: Waiting) {
        let isSettled = guarded.withLock { guarded in
            if guarded.result == nil, !subscription.isClosed {
                subscription.isWaiting = true
                guarded.waiting.append(subscription)
            }
            return guarded.result != nil
        }
        if isSettled { settle(subscription) }
    }

    /// Attaches a subscriber.
    @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
        let subscription = FutureSubscription(self, subscriber)
        subscription.outlet.send(subscription: subscription)
        wait(subscription)
    }
}

/// A subscription that waits for the result of a future and for demand. Whichever arrives second sends the result.
@usableFromInline class FutureWaiter<Output, Failure: Error>: SubscriptionCore, @unchecked Sendable {
    // Sound: the state is atomic, a lock protects the future, and the future's lock protects `isWaiting`.
    /// Two bits: 1 if there is demand, 2 if there is a result.
    private let state = Atomic<UInt8>(0)
    @usableFromInline let future: Lock<Future<Output, Failure>?>
    /// Whether it is among those that wait. Used only with the future's lock held.
    @exclusivity(unchecked) @usableFromInline var isWaiting = false

    @usableFromInline init(_ future: Future<Output, Failure>) { self.future = Lock(future) }

    /// Sets bits of the state, and sends the result if both are set now.
    @usableFromInline final func note(_ bits: UInt8) {
        let (before, now) = state.bitwiseOr(bits, ordering: .acquiringAndReleasing)
        guard now == 3, before != 3, let result = future.withLock({ $0 })?.settled else { return }
        send(result)
        discard(future.withLock { $0.take() })
    }

    @usableFromInline var isClosed: Bool { preconditionFailure("\(Self.self) must override isClosed") }
    @usableFromInline func send(_ result: Result<Output, Failure>) { preconditionFailure("\(Self.self) must override send") }

    @usableFromInline override final func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        note(1)
    }

    @usableFromInline override func cancel() { future.withLock { $0.take() }?.forget(self) }

    override final var description: String { "Future" }
    override final var customMirror: Mirror { mirror([("parent", future.withLock { $0 } as Any)]) }
}

@usableFromInline
final class FutureSubscription<Downstream: Subscriber>: FutureWaiter<Downstream.Input, Downstream.Failure>,
    @unchecked Sendable
{
    // Sound: the outlet protects its own state.
    @usableFromInline let outlet: Outlet<Downstream>

    @inlinable init(_ future: Future<Downstream.Input, Downstream.Failure>, _ downstream: Downstream) {
        outlet = Outlet(downstream)
        super.init(future)
    }

    @usableFromInline override func send(_ result: Result<Downstream.Input, Downstream.Failure>) {
        switch result {
        case .success(let value):
            _ = outlet.send(value)
            outlet.finish(.finished)
        case .failure(let error):
            outlet.finish(.failure(error))
        }
    }

    @usableFromInline override var isClosed: Bool { outlet.isClosed }

    @usableFromInline override func cancel() {
        outlet.close()
        super.cancel()
    }
}
