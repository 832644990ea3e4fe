import Synchronization

/// Hands the values of a subscription to whoever awaits them, one for one.
final class AsyncBridge<Output, Failure: Error>: Subscriber, @unchecked Sendable {
    // Sound: all state is behind `guarded`; continuations are resumed outside the lock.
    typealias Input = Output
    typealias Step = Result<Output?, Failure>
    private typealias Continuation = UnsafeContinuation<UncheckedTransfer<Step>, Never>

    private let guarded = Lock(Guarded())

    private struct Guarded: @unchecked Sendable {
        // Sound: behind the lock.
        var upstream: SubscriptionCore?
        /// Steps asked for before the subscription came.
        var owedDemand = 0
        var values = Queue<Output>()
        var waiting = Queue<Continuation>()
        var completion: Subscribers.Completion<Failure>?
        var isEnded = false
    }

    /// What an iterator holds: when it is released, the subscription is cancelled.
    final class Link: @unchecked Sendable {
        // Sound: immutable, and the bridge guards itself.
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

    // MARK: Subscriber

    func receive(subscription: any Subscription) {
        let core = SubscriptionCore.adopting(subscription)
        let demand = guarded.withLock { guarded -> Int? in
            guard guarded.upstream == nil, !guarded.isEnded else { return nil }
            guarded.upstream = core
            return guarded.owedDemand
        }
        guard let demand else { return core.cancel() }
        if demand > 0 { core.request(.max(demand)) }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
        let waiting = guarded.withLock { guarded -> UncheckedTransfer<Continuation?> in
            guard !guarded.isEnded else { return UncheckedTransfer(nil) }
            if let waiting = guarded.waiting.popFirst() { return UncheckedTransfer(waiting) }
            guarded.values.append(input)
            return UncheckedTransfer(nil)
        }.value
        waiting?.resume(returning: UncheckedTransfer(.success(input)))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) { end(with: completion) }

    // MARK: Steps

    private enum Turn {
        case answer(Step)
        case ask(SubscriptionCore?)
    }

    private func step(_ continuation: Continuation) {
        let turn = guarded.withLock { guarded -> UncheckedTransfer<Turn> in
            if let value = guarded.values.popFirst() { return UncheckedTransfer(.answer(.success(value))) }
            if guarded.isEnded {
                // An error is thrown once; after it the sequence is over.
                defer { guarded.completion = nil }
                return UncheckedTransfer(.answer(Self.lastStep(guarded.completion)))
            }
            guarded.waiting.append(continuation)
            if guarded.upstream == nil { guarded.owedDemand += 1 }
            return UncheckedTransfer(.ask(guarded.upstream))
        }.value
        switch turn {
        case .answer(let step): continuation.resume(returning: UncheckedTransfer(step))
        case .ask(let upstream): upstream?.request(.max(1))
        }
    }

    private static func lastStep(_ completion: Subscribers.Completion<Failure>?) -> Step {
        if case .failure(let error) = completion { .failure(error) } else { .success(nil) }
    }

    private func cancel() { end(with: nil)?.cancel() }

    @discardableResult
    private func end(with completion: Subscribers.Completion<Failure>?) -> SubscriptionCore? {
        let (upstream, waiting) = guarded.withLock { guarded in
            guard !guarded.isEnded else { return UncheckedTransfer((SubscriptionCore?.none, guarded.waiting)) }
            guarded.isEnded = true
            // What arrived before the end is still handed out, unless the reader is gone.
            if completion == nil { guarded.values = Queue() }
            // The error belongs to one reader: the first that waits, or the next that asks.
            if guarded.waiting.isEmpty { guarded.completion = completion }
            defer { guarded.waiting = Queue() }
            return UncheckedTransfer((guarded.upstream.take(), guarded.waiting))
        }.value
        var waiters = waiting
        var last = completion
        while let continuation = waiters.popFirst() {
            continuation.resume(returning: UncheckedTransfer(Self.lastStep(last)))
            last = nil
        }
        return upstream
    }
}
