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
    @usableFromInline typealias Waiting = FutureSubscription<Output, Failure>
    /// The result, and the subscriptions that wait for it.
    @usableFromInline let guarded = Lock((result: Result<Output, Failure>?.none, waiting: Numbered<Waiting>()))

    /// Creates a future and starts its work.
    ///
    /// - Parameter attemptToFulfill: Starts the work. Called at once, on the calling thread, with the promise to fulfill.
    @inlinable public init(_ attemptToFulfill: (@escaping Promise) -> Void) { attemptToFulfill { [self] in fulfil($0) } }

    /// Stores the result, unless there is one, and sends it to the subscriptions that wait for it.
    @inlinable func fulfil(_ result: Result<Output, Failure>) {
        var waiting = Numbered<Waiting>()
        let result = guarded.withLock { guarded in
            if guarded.result == nil { guarded.result = result }
            swap(&waiting, &guarded.waiting)
            return UncheckedTransfer(guarded.result ?? result)
        }.value
        for subscription in waiting { subscription.settle(result) }
    }

    /// Removes a subscription that was cancelled, if it waits.
    @inlinable func forget(_ subscription: Waiting) {
        discard(guarded.withLock { guarded in subscription.number.flatMap { guarded.waiting.remove($0) } })
    }

    @inlinable var settled: Result<Output, Failure>? { guarded.withLock { UncheckedTransfer($0.result) }.value }

    /// Adds a subscription to those that wait or, if there is a result, settles it. Not inlined: inlining it makes the compiler
    /// (6.3) fail.
    @inlinable @inline(never)
    func wait(_ subscription: Waiting) {
        let result = guarded.withLock { guarded in
            if guarded.result == nil, !subscription.outlet.isClosed {
                subscription.number = guarded.waiting.add(subscription)
            }
            return UncheckedTransfer(guarded.result)
        }.value
        if let result { subscription.settle(result) }
    }

    /// Attaches a subscriber.
    @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
        let subscription = FutureSubscription(self, AnySubscriber(subscriber))
        subscription.start()
        wait(subscription)
    }
}

/// A subscription that waits for the result of a future and for demand.
@usableFromInline
final class FutureSubscription<Output, Failure: Error>: DeliverySubscription<AnySubscriber<Output, Failure>>,
    @unchecked Sendable
{
    // Sound: as the base class says; a lock protects the future, and the future's lock protects `number`.
    @usableFromInline let future: Lock<Future<Output, Failure>?>
    /// Its number among those that wait. Used only with the future's lock held.
    @exclusivity(unchecked) @usableFromInline var number: Int?

    @inlinable init(_ future: Future<Output, Failure>, _ downstream: AnySubscriber<Output, Failure>) {
        self.future = Lock(future)
        super.init(downstream, named: "Future")
    }

    /// Sends the result: a value once it is requested, an error at once.
    @inlinable func settle(_ result: Result<Output, Failure>) {
        if case .success(let value) = result { send(value) }
        if case .failure(let error) = result { finish(.failure(error)) } else { finish(.finished) }
    }

    override func release() { discard(future.withLock { $0.take() }) }

    override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        super.request(demand)
    }

    override func cancel() {
        let future = future.withLock { $0.take() }
        super.cancel()
        future?.forget(self)
    }

    override var customMirror: Mirror { mirror([("parent", future.withLock { $0 } as Any)]) }
}

extension Future {
    private var result: Result<Output, Failure> {
        get async {
            await withUnsafeContinuation { done in
                receive(subscriber: SinkSubscriber(receiveValue: { _ in }, receiveCompletion: { _ in done.resume() }))
            }
            return settled!
        }
    }

    /// The value of the result. Waits until the promise is fulfilled, even if the task is cancelled.
    ///
    /// - Throws: The error of the result.
    @_disfavoredOverload public var value: Output { get async throws(Failure) { try await result.get() } }
}

extension Future where Failure == Never {
    /// The value of the result. Waits until the promise is fulfilled, even if the task is cancelled.
    public var value: Output { get async { await result.get() } }
}
