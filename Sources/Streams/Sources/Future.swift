import Synchronization

/// A publisher of one result that comes later, the same for every subscriber.
///
/// The work starts when the future is made, not when somebody subscribes; wrap it in ``Deferred`` for that.
///
/// ```swift
/// let answer = Future<Int, Never> { promise in
///     DispatchQueue.global().async { promise(.success(42)) }
/// }
/// ```
public final class Future<Output, Failure: Error>: GrammaticalPublisher, @unchecked Sendable {
    // Sound: all state is behind `guarded`; the result is handed to every subscriber, as Combine's is.

    /// Fulfils the future; the first call counts, later ones do nothing. Safe from any thread.
    public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

    private let guarded = Lock(Guarded())

    private struct Guarded: @unchecked Sendable {
        // Sound: behind the lock.
        var result: Result<Output, Failure>?
        var waiting: [FutureSubscription<Output, Failure>] = []
    }

    /// A future, and the start of the work it stands for.
    ///
    /// - Parameter attemptToFulfill: Called at once, on this thread, with the promise to keep.
    public init(_ attemptToFulfill: (@escaping Promise) -> Void) {
        attemptToFulfill { [self] in fulfil($0) }
    }

    private func fulfil(_ result: Result<Output, Failure>) {
        let waiting = guarded.withLock { guarded -> UncheckedTransfer<[FutureSubscription<Output, Failure>]> in
            guard guarded.result == nil else { return UncheckedTransfer([]) }
            guarded.result = result
            defer { guarded.waiting = [] }
            return UncheckedTransfer(guarded.waiting)
        }.value
        for subscription in waiting { subscription.fulfil(result) }
    }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let subscription = FutureSubscription(AnySubscriber(subscriber))
        let result = guarded.withLock { guarded -> UncheckedTransfer<Result<Output, Failure>?> in
            guarded.waiting.removeAll { $0.isClosed }
            if guarded.result == nil { guarded.waiting.append(subscription) }
            return UncheckedTransfer(guarded.result)
        }.value
        subscription.start()
        if let result { subscription.fulfil(result) }
    }
}

/// Delivers a result once it is there and asked for, whichever comes last.
final class FutureSubscription<Output, Failure: Error>: SubscriptionCore, @unchecked Sendable {
    // Sound: `progress` and the outlet are atomic; `result` is written before `isReady` is set and read after it.
    private let outlet: Outlet<AnySubscriber<Output, Failure>>
    private let progress = Atomic<UInt8>(0)
    @exclusivity(unchecked) private var result: Result<Output, Failure>?

    private static var isReady: UInt8 { 1 }
    private static var isRequested: UInt8 { 2 }
    private static var isStarted: UInt8 { 4 }

    init(_ downstream: AnySubscriber<Output, Failure>) { outlet = Outlet(downstream) }

    var isClosed: Bool { outlet.isClosed }

    func start() {
        outlet.send(subscription: self)
        advance(Self.isStarted)
    }

    func fulfil(_ result: Result<Output, Failure>) {
        self.result = result
        advance(Self.isReady)
    }

    override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        advance(Self.isRequested)
    }

    override func cancel() { outlet.close() }

    override var description: String { "Future" }

    private func advance(_ step: UInt8) {
        let (before, after) = progress.bitwiseOr(step, ordering: .acquiringAndReleasing)
        guard before != after, after & (Self.isReady | Self.isStarted) == Self.isReady | Self.isStarted else { return }
        switch result {
        case .failure(let error):
            // A failure needs no demand.
            if before & (Self.isReady | Self.isStarted) != Self.isReady | Self.isStarted {
                outlet.finish(.failure(error))
            }
        case .success(let value):
            guard after & Self.isRequested != 0 else { return }
            _ = outlet.send(value)
            outlet.finish(.finished)
        case nil:
            break
        }
    }
}
