import Synchronization

/// A publisher of one result that comes later, the same for every subscriber.
///
/// The work starts when the future is made, not when somebody subscribes; wrap it in ``Deferred`` for that.
/// ```swift
/// let answer = Future<Int, Never> { promise in DispatchQueue.global().async { promise(.success(42)) } }
/// ```
public final class Future<Output, Failure: Error>: GrammaticalPublisher, @unchecked Sendable {
    // Sound: all state is behind `guarded`; the result is handed to every subscriber, as Combine's is.
    /// Fulfils the future; the first call counts, later ones do nothing. Safe from any thread.
    public typealias Promise = @Sendable (Result<Output, Failure>) -> Void
    @usableFromInline typealias Waiting = FutureWaiter<Output, Failure>
    @usableFromInline let guarded = Lock(Guarded())

    @usableFromInline struct Guarded: @unchecked Sendable {
        // Sound: behind the lock.
        @usableFromInline var result: Result<Output, Failure>?
        @usableFromInline var waiting: [Waiting] = []
        @inlinable init() {}
    }

    /// A future, and the start of the work it stands for: the closure is called at once, on this thread, with the promise to keep.
    @inlinable public init(_ attemptToFulfill: (@escaping Promise) -> Void) { attemptToFulfill { [self] in fulfil($0) } }

    @inlinable func fulfil(_ result: Result<Output, Failure>) {
        let waiting = guarded.withLock { guarded in
            if guarded.result == nil { guarded.result = result }
            defer { guarded.waiting = [] }
            return guarded.waiting
        }
        for subscription in waiting { settle(subscription) }
    }

    /// The result is there. A failure comes unasked.
    @inlinable func settle(_ subscription: Waiting) {
        if case .failure = settled { subscription.note(3) } else { subscription.note(2) }
    }

    @inlinable func forget(_ subscription: Waiting) { guarded.withLock { $0.waiting.removeAll { $0 === subscription } } }
    @inlinable var settled: Result<Output, Failure>? { guarded.withLock { UncheckedTransfer($0.result) }.value }

    /// Puts a subscriber in line, or tells it of the result. Not inlined: the compiler (6.3) fails at that.
    @inlinable @inline(never) func wait(_ subscription: Waiting) {
        let isSettled = guarded.withLock { guarded in
            if guarded.result == nil, !subscription.isClosed { guarded.waiting.append(subscription) }
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

/// A subscriber that waits for the result of a future, and for being asked: whoever comes second sends it.
@usableFromInline class FutureWaiter<Output, Failure: Error>: SubscriptionCore, @unchecked Sendable {
    // Sound: the lock and the atomic guard what is in them.
    /// 1 when asked, 2 when there is a result.
    private let state = Atomic<UInt8>(0)
    @usableFromInline let future: Lock<Future<Output, Failure>?>

    @usableFromInline init(_ future: Future<Output, Failure>) { self.future = Lock(future) }

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
    // Sound: the outlet guards itself.
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
