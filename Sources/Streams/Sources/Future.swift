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
    private typealias Waiting = Junction<FunnelLogic<Never, AnySubscriber<Output, Failure>>>
    private let guarded = Lock(Guarded())
    private struct Guarded: @unchecked Sendable {
        // Sound: behind the lock.
        var result: Result<Output, Failure>?
        var waiting: [Waiting] = []
    }
    /// A future, and the start of the work it stands for: the closure is called at once, on this thread, with the promise to keep.
    public init(_ attemptToFulfill: (@escaping Promise) -> Void) { attemptToFulfill { [self] in fulfil($0) } }
    private func fulfil(_ result: Result<Output, Failure>) {
        let waiting = guarded.withLock { guarded in
            guard guarded.result == nil else { return UncheckedTransfer([Waiting]()) }
            guarded.result = result
            defer { guarded.waiting = [] }
            return UncheckedTransfer(guarded.waiting)
        }.value
        for funnel in waiting { funnel.finish(with: result) }
    }
    /// Attaches a subscriber.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
        let funnel = Waiting(FunnelLogic(running: 1), AnySubscriber(subscriber), named: "Future")
        funnel.parent = { [weak self] in self }
        funnel.onEnd = { [weak self, weak funnel] in self?.guarded.withLock { $0.waiting.removeAll { $0 === funnel } } }
        let result = guarded.withLock { guarded in
            if guarded.result == nil { guarded.waiting.append(funnel) }
            return UncheckedTransfer(guarded.result)
        }.value
        funnel.start()
        if let result { funnel.finish(with: result) }
    }
    private var result: Result<Output, Failure> {
        get async {
            let result: UncheckedTransfer<Result<Output, Failure>> = await withUnsafeContinuation { continuation in
                receive(
                    subscriber: SinkSubscriber {
                        continuation.resume(returning: UncheckedTransfer(.success($0)))
                    } receiveCompletion: {
                        if let error = $0.error { continuation.resume(returning: UncheckedTransfer(.failure(error))) }
                    })
            }
            return result.value
        }
    }
    /// The value, once it is there, or the error thrown. It waits for the promise to be kept, also in a cancelled task.
    @_disfavoredOverload public var value: Output { get async throws(Failure) { try await result.get() } }
}

extension Future where Failure == Never {
    /// The value, once it is there. It waits for the promise to be kept, also in a cancelled task.
    public var value: Output { get async { await result.get() } }
}

extension Junction {
    /// Sends a result as soon as it is asked for, or fails at once.
    fileprivate func finish<D>(with result: Result<D.Input, D.Failure>) where Logic == FunnelLogic<Never, D> {
        switch result {
        case .success(let value):
            _ = receive(.value(value), from: nil)
            post(.ended(nil, nil))
        case .failure(let error): post(.ended(nil, error))
        }
    }
}
