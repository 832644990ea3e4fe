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
    @usableFromInline typealias Waiting = FutureSubscription<Output, Failure>
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
    /// Attaches a subscriber.
    @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
        let subscription = Waiting(self, AnySubscriber(subscriber))
        subscription.outlet.send(subscription: subscription)
        let isSettled = guarded.withLock { guarded in
            if guarded.result == nil, !subscription.outlet.isClosed { guarded.waiting.append(subscription) }
            return guarded.result != nil
        }
        if isSettled { settle(subscription) }
    }
    private var result: Result<Output, Failure> {
        get async {
            await withUnsafeContinuation { done in
                receive(subscriber: SinkSubscriber(receiveValue: { _ in }, receiveCompletion: { _ in done.resume() }))
            }
            return settled!
        }
    }
    /// The value, once it is there, or the error thrown. It waits for the promise to be kept, also in a cancelled task.
    @_disfavoredOverload public var value: Output { get async throws(Failure) { try await result.get() } }
}
extension Future where Failure == Never {
    /// The value, once it is there. It waits for the promise to be kept, also in a cancelled task.
    public var value: Output { get async { await result.get() } }
}

/// A subscriber that waits for the result of a future, and for being asked: whoever comes second sends it.
@usableFromInline final class FutureSubscription<Output, Failure: Error>: SubscriptionCore, @unchecked Sendable {
    // Sound: the outlet and the locks guard what is in them.
    /// 1 when asked, 2 when there is a result.
    @usableFromInline let state = Atomic<UInt8>(0)
    @usableFromInline let future: Lock<Future<Output, Failure>?>, outlet: Outlet<AnySubscriber<Output, Failure>>
    @usableFromInline let sendSpecialised: (FutureSubscription) -> Void  // Formed where the types are known.
    @inlinable init(_ future: Future<Output, Failure>, _ downstream: AnySubscriber<Output, Failure>) {
        sendSpecialised = { $0.send() }
        self.future = Lock(future)
        outlet = Outlet(downstream)
    }
    @inlinable func note(_ bits: UInt8) {
        let (before, now) = state.bitwiseOr(bits, ordering: .acquiringAndReleasing)
        if now == 3, before != 3 { sendSpecialised(self) }
    }
    @inlinable func send() {
        guard let result = future.withLock({ $0 })?.settled else { return }
        switch result {
        case .success(let value):
            _ = outlet.send(value)
            outlet.finish(.finished)
        case .failure(let error): outlet.finish(.failure(error))
        }
        discard(future.withLock { $0.take() })
    }
    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        note(1)
    }
    @usableFromInline override func cancel() {
        outlet.close()
        future.withLock { $0.take() }?.forget(self)
    }
    override var description: String { "Future" }
    override var customMirror: Mirror { mirror([("parent", future.withLock { $0 } as Any)]) }
}
