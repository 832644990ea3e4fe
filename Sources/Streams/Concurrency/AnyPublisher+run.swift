import Synchronization

/// What the body of ``AnyPublisher/run(priority:_:)`` sends values with.
public struct Send<Output>: Sendable {
    private let send: @Sendable (Output) -> Void
    init(_ send: @escaping @Sendable (Output) -> Void) { self.send = send }

    /// Sends a value. What is sent after the subscription was cancelled or the body has ended is dropped.
    ///
    /// It does not wait: a value that the downstream has not asked for is kept until it does.
    public func callAsFunction(_ value: sending Output) { send(value) }
}

extension AnyPublisher {
    /// A publisher of what an asynchronous body sends.
    ///
    /// The body is started anew for each subscriber, as a task of its own, and cancelled with the subscription. The
    /// publisher finishes when the body returns and fails when it throws.
    /// ```swift
    /// .run { send in send(.started); send(.loaded(try await load(url))) }
    /// ```
    /// - Parameter body: Sends values; runs off any actor unless it says otherwise.
    public static func run(
        priority: TaskPriority? = nil, _ body: @escaping @Sendable (Send<Output>) async throws(Failure) -> Void
    ) -> AnyPublisher { AnyPublisher(RunPublisher(priority: priority, body: body)) }
}

struct RunPublisher<Output, Failure: Error>: GrammaticalPublisher, Sendable {
    let priority: TaskPriority?
    let body: @Sendable (Send<Output>) async throws(Failure) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let logic = FlatteningLogic<Never, AnySubscriber<Output, Failure>>(running: 1)
        let flattening = FanIn(logic, AnySubscriber(subscriber), named: "Run")
        let work = RunningTask()
        flattening.onEnd = { work.cancel() }
        flattening.start()
        let body = body
        let running = subscriber._subscriberContext.map(RunningBody.init)
        work.start(priority: priority) {
            // Another thread may have cancelled, and left it to the owner of the mailbox to say so.
            if flattening.isClosed.load(ordering: .acquiring) { return }
            let send = Send<Output> { value in
                if !work.isOver { _ = flattening.receive(.value(value), from: nil) }
            }
            var failure: Failure?
            let run = { do throws(Failure) { try await body(send) } catch { failure = error } }
            if let running { await running.run(run) } else { await run() }
            work.end()
            flattening.post(.ended(nil, failure))
        }
    }
}

/// A task that may be cancelled before it has been started, or before it has begun: then its body never runs. The body waits in a
/// place from which it is taken once, by the task to run it or by who cancels to let go of it: who comes first decides.
final class RunningTask: Sendable {
    typealias Body = @Sendable () async -> Void

    private enum State: Sendable {
        case new, waiting(Body), begun, over
    }

    private let over = Atomic<Bool>(false)
    private let state = Lock(State.new)
    private let task = Lock<Task<Void, Never>?>(nil)

    /// Whether it was cancelled or has ended.
    var isOver: Bool { over.load(ordering: .acquiring) }

    func start(priority: TaskPriority?, _ body: @escaping Body) {
        let isWanted = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(body)
            return true
        }
        guard isWanted else { return }
        // What the task will send is not sent by whoever this thread is delivering for, which a task would inherit.
        DeliveryOrigin.none {
            let started = Task(executorPreference: TaskPlace.executor, priority: priority) { [self] in
                if let body = take(leaving: .begun) { await body() }
            }
            task.withLock { $0 = started }
        }
        if isOver { letGo()?.cancel() }
    }

    func end() {
        over.store(true, ordering: .releasing)
        discard(letGo())
    }

    func cancel() {
        over.store(true, ordering: .releasing)
        discard(take(leaving: .over))
        letGo()?.cancel()
    }

    /// The body, if nobody has taken it.
    private func take(leaving next: State) -> Body? {
        state.withLock { state in
            guard case .waiting(let body) = state else {
                // What was cancelled before it was started is not to be.
                if case .new = state { state = next }
                return nil
            }
            state = next
            return body
        }
    }

    private func letGo() -> Task<Void, Never>? { task.withLock { $0.take() } }
}
