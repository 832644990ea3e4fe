/// A subscriber that passes values to the tasks that await them, and requests one value for each awaited step.
final class AsyncBridge<Output, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
    // Sound: `guarded` protects all state; continuations are resumed outside the lock.
    typealias Step = Result<Output?, Failure>
    private typealias Continuation = UnsafeContinuation<UncheckedTransfer<Step>, Never>
    private let guarded = Lock(Guarded())

    private struct Guarded: @unchecked Sendable {
        // Sound: accessed only with the lock held.
        var upstream: SubscriptionCore?
        /// How many values have not arrived of those that were requested, or will be requested when the subscription arrives.
        var demand = 0
        var values = Queue<Output>()
        var waiting = Queue<Continuation>()
        var completion: Subscribers.Completion<Failure>?
        var isEnded = false
    }

    /// An iterator's reference to the bridge. Releasing it cancels the subscription.
    final class Link: @unchecked Sendable {
        // Sound: immutable, and the bridge protects its own state.
        private let bridge: AsyncBridge

        init(_ bridge: AsyncBridge) { self.bridge = bridge }
        deinit { bridge.cancel() }

        func next(isolation: isolated (any Actor)? = #isolation) async -> Step {
            let bridge = bridge
            return await withTaskCancellationHandler {
                await withUnsafeContinuation { bridge.step($0) }.value
            } onCancel: {
                bridge.cancel()
            }
        }
    }

    static func subscribe<P: Publisher>(to publisher: P) -> Link where P.Output == Output, P.Failure == Failure {
        let bridge = AsyncBridge()
        publisher.subscribe(bridge)
        return Link(bridge)
    }

    func receive(subscription: any Subscription) {
        let core = SubscriptionCore.adopting(subscription)
        let demand = guarded.withLock { guarded -> Int? in
            guard guarded.upstream == nil, !guarded.isEnded else { return nil }
            guarded.upstream = core
            return guarded.demand
        }
        guard let demand else { return core.cancel() }
        if demand > 0 { core.request(.max(demand)) }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
        var isEarly = false
        let served = guarded.withLock { guarded in
            var served = Queue<Continuation>()
            isEarly = guarded.upstream == nil
            if guarded.isEnded { return UncheckedTransfer(served) }
            if isEarly {
                swap(&served, &guarded.waiting)
                return UncheckedTransfer(served)
            }
            precondition(guarded.demand > 0, "values: received a value that was not requested; the publisher must honor demand")
            guarded.demand -= 1
            if let next = guarded.waiting.popFirst() { served.append(next) } else { guarded.values.append(input) }
            return UncheckedTransfer(served)
        }.value
        // A value that arrives before the subscription violates the grammar: it is dropped, and the waiting steps end.
        resume(served, with: .success(isEarly ? nil : input))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) { discard(end(with: completion)) }

    private func step(_ continuation: Continuation) {
        let (answer, upstream) = guarded.withLock { guarded -> UncheckedTransfer<(Step?, SubscriptionCore?)> in
            if let value = guarded.values.popFirst() { return UncheckedTransfer((.success(value), nil)) }
            if guarded.isEnded {
                // The error is thrown once; all later steps return nil.
                return UncheckedTransfer((Self.lastStep(guarded.completion.take()), nil))
            }
            guarded.waiting.append(continuation)
            guarded.demand += 1
            return UncheckedTransfer((nil, guarded.upstream))
        }.value
        if let answer { continuation.resume(returning: UncheckedTransfer(answer)) }
        upstream?.request(.max(1))
    }

    private static func lastStep(_ completion: Subscribers.Completion<Failure>?) -> Step {
        completion?.error.map { .failure($0) } ?? .success(nil)
    }

    /// Resumes the first waiting continuation with a step, and the others with nil.
    private func resume(_ waiting: Queue<Continuation>, with step: Step) {
        var (waiting, step) = (waiting, step)
        while let next = waiting.popFirst() {
            next.resume(returning: UncheckedTransfer(step))
            step = .success(nil)
        }
    }

    func cancel() { end(with: nil)?.cancel() }

    private func end(with completion: Subscribers.Completion<Failure>?) -> SubscriptionCore? {
        // Released outside the lock.
        var forgotten = UncheckedTransfer(Queue<Output>())
        let (upstream, waiting) = guarded.withLock { guarded in
            guard !guarded.isEnded else { return UncheckedTransfer((SubscriptionCore?.none, guarded.waiting)) }
            guarded.isEnded = true
            // After a completion, values that arrived before it are still returned; after a cancellation, they are dropped.
            if completion == nil {
                forgotten = UncheckedTransfer(guarded.values)
                guarded.values = Queue()
            }
            // One step throws the error: the first that is waiting or, if none is, the next one.
            if guarded.waiting.isEmpty { guarded.completion = completion }
            defer { guarded.waiting = Queue() }
            return UncheckedTransfer((guarded.upstream.take(), guarded.waiting))
        }.value
        discard(forgotten)
        resume(waiting, with: Self.lastStep(completion))
        return upstream
    }
}
