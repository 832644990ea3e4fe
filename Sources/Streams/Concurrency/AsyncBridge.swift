/// A subscriber that passes values to the tasks that await them, and requests one value for each awaited step.
final class AsyncBridge<Output, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
    // Sound: the inlet and the lock protect all state; continuations are resumed outside the lock.
    typealias Step = Result<Output?, Failure>
    private typealias Continuation = UnsafeContinuation<UncheckedTransfer<Step>, Never>
    private let inlet = Inlet()
    /// The steps that are awaited, for each of which one value has been requested; and the completion, if no step was awaited when it
    /// arrived.
    private let guarded = Lock(
        (waiting: Queue<Continuation>(), completion: Subscribers.Completion<Failure>?.none, isEnded: false))

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

    func receive(subscription: any Subscription) { inlet.fill(subscription) }

    func receive(_ input: Output) -> Subscribers.Demand {
        if inlet.isEnded { return .none }
        let next = guarded.withLock { guarded in
            precondition(
                guarded.isEnded || !guarded.waiting.isEmpty,
                "values: received a value that was not requested; the publisher must honor demand")
            return guarded.waiting.popFirst()
        }
        next?.resume(returning: UncheckedTransfer(.success(input)))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) { if inlet.finish() { end(with: completion) } }

    func cancel() {
        end(with: nil)
        inlet.cancel()
    }

    private func step(_ continuation: Continuation) {
        let last = guarded.withLock { guarded -> UncheckedTransfer<Step?> in
            // The error is thrown once; all later steps return nil.
            if guarded.isEnded { return UncheckedTransfer(Self.lastStep(guarded.completion.take())) }
            guarded.waiting.append(continuation)
            return UncheckedTransfer(nil)
        }.value
        if let last { continuation.resume(returning: UncheckedTransfer(last)) } else { inlet.request(.max(1)) }
    }

    private static func lastStep(_ completion: Subscribers.Completion<Failure>?) -> Step {
        completion?.error.map { .failure($0) } ?? .success(nil)
    }

    /// Ends the steps that are awaited, and all later ones. One step throws the error: the first that is awaited or, if none is,
    /// the next one.
    private func end(with completion: Subscribers.Completion<Failure>?) {
        var waiting = guarded.withLock { guarded in
            if guarded.isEnded { return UncheckedTransfer(Queue<Continuation>()) }
            guarded.isEnded = true
            if guarded.waiting.isEmpty { guarded.completion = completion }
            defer { guarded.waiting = Queue() }
            return UncheckedTransfer(guarded.waiting)
        }.value
        var step = Self.lastStep(completion)
        while let next = waiting.popFirst() {
            next.resume(returning: UncheckedTransfer(step))
            step = .success(nil)
        }
    }
}
