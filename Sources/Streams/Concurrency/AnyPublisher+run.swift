import Synchronization

/// The handle with which the body of ``AnyPublisher/run(priority:_:)`` sends values.
public struct Send<Output>: Sendable {
    private let send: @Sendable (Output) -> Void
    init(_ send: @escaping @Sendable (Output) -> Void) { self.send = send }

    /// Sends a value, without waiting for demand: a value that the downstream has not requested is buffered until it does.
    ///
    /// A value that is sent after the subscription was cancelled or the body has ended is dropped. Safe to call from any thread.
    ///
    /// - Parameter value: The value to send.
    public func callAsFunction(_ value: sending Output) { send(value) }
}

extension AnyPublisher {
    /// Returns a publisher of the values that an asynchronous body sends.
    ///
    /// Each subscription runs the body in a new task, which is cancelled with the subscription. The body begins on the
    /// thread that subscribes and runs there up to its first suspension, so the values that it sends until then are delivered
    /// during the subscription. After a suspension it continues on the global executor. The publisher finishes when the body
    /// returns and fails when it throws, in either case after it has delivered the values that are buffered.
    /// ```swift
    /// .run { send in send(.started); send(.loaded(try await load(url))) }
    /// ```
    /// A body that computes for a long time before it suspends blocks the thread that subscribes; `await Task.yield()` at its
    /// beginning releases the thread. A body whose type isolates it to an actor, `{ @MainActor send in … }`, begins in place only
    /// if the subscription is made on that actor; otherwise it waits for the actor. If the subscription is cancelled meanwhile,
    /// the body never begins. A method of an actor instance that is passed as the body has no isolation for the compiler: it may
    /// begin even if the subscription is cancelled while it waits for its actor. A function that is `nonisolated(nonsending)`
    /// must be called from a closure, `{ send in await load(send) }`, because the compiler does not convert it.
    ///
    /// - Parameters:
    ///   - priority: The priority of the tasks; `nil` for the default of `Task`.
    ///   - body: Sends the values. It runs on no actor unless it is isolated to one.
    /// - Returns: The publisher.
    public static func run(
        priority: TaskPriority? = nil,
        _ body: @escaping @isolated(any) @Sendable (Send<Output>) async throws(Failure) -> Void
    ) -> AnyPublisher {
        run(priority: priority, on: body.isolation) { send, _ throws(Failure) in try await body(send) }
    }

    /// Like ``run(priority:_:)``, with a body that receives its actor.
    ///
    /// - Parameters:
    ///   - priority: The priority of the tasks; `nil` for the default of `Task`.
    ///   - actor: The actor on which the body begins; `nil` for none.
    ///   - body: Sends the values.
    /// - Returns: The publisher.
    package static func run(
        priority: TaskPriority?, on actor: (any Actor)?,
        _ body: @escaping @Sendable (Send<Output>, isolated (any Actor)?) async throws(Failure) -> Void
    ) -> AnyPublisher { AnyPublisher(RunPublisher(priority: priority, actor: actor, body: body)) }
}

struct RunPublisher<Output, Failure: Error>: GrammaticalPublisher, Sendable {
    let priority: TaskPriority?
    /// The actor on which the body begins.
    let actor: (any Actor)?
    let body: @Sendable (Send<Output>, isolated (any Actor)?) async throws(Failure) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let logic = FlatteningLogic<Never, AnySubscriber<Output, Failure>>(running: 1)
        let flattening = FanIn(logic, AnySubscriber(subscriber), named: "Run")
        let work = RunningTask()
        flattening.onEnd = { work.cancel() }
        flattening.start()
        let body = body
        let origin = subscriber._subscriberContext
        let running = origin.map { RunningBody($0) }
        let begin: RunningTask.Body = { actor in
            // A cancelling thread sets `isClosed` at once, but leaves it to the owner of the mailbox to call `onEnd`.
            if flattening.isClosed { return }
            if running?.isUnwanted == true { return }
            let send = Send<Output> { value in
                if !work.isOver { _ = flattening.receive(.value(value), from: nil) }
            }
            var failure: Failure?
            let run = {
                do throws(Failure) { try await body(send, actor) } catch { failure = error }
                // Inside, since consequences of the end, such as a timer before another attempt, have the same origin.
                work.end()
                flattening.post(.ended(nil, failure))
            }
            if let running { await running.run(on: actor, run) } else { await run() }
        }
        WorkContext.bind(for: origin) { work.start(priority: priority, on: actor, begin) }
    }
}

/// A task that begins on the thread that starts it, and can be cancelled before its body begins; then the body never runs.
///
/// The body is stored in `state` and removed once: by the task, to run it, or by ``cancel()``, to release it. The task removes it
/// on the actor that the body is isolated to. If it removed it before, and then waited for the actor, a cancellation would be
/// lost:
///
///     task                          the actor, which is busy
///     ----                          ------------------------
///     not cancelled: go on
///     wait for the actor
///                                   cancel()
///                                   the body begins
final class RunningTask: Sendable {
    typealias Body = @Sendable (isolated (any Actor)?) async -> Void

    private enum State: @unchecked Sendable {
        // Sound: a task that runs can be cancelled from any thread.
        case new
        case waiting(Body)
        /// The body runs. `UnsafeCurrentTask` retains its task, so the task can be cancelled even if it ends at that time.
        case begun(UnsafeCurrentTask?)
        case over
    }

    private let over = Atomic<Bool>(false)
    private let state = Lock(State.new)

    /// Indicates that the task was cancelled or its body has ended.
    var isOver: Bool { over.load(ordering: .acquiring) }

    /// Starts the task, unless it has been started or cancelled before. If the body is isolated to no actor, it runs before this
    /// returns, up to its first suspension.
    ///
    /// - Parameters:
    ///   - priority: The priority of the task.
    ///   - actor: The actor on which the body begins.
    ///   - body: The body, which is passed the actor.
    func start(priority: TaskPriority?, on actor: (any Actor)? = nil, _ body: @escaping Body) {
        let isWanted = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(body)
            return true
        }
        guard isWanted else { return }
        // The task must not inherit this thread's delivery origin: its values are not sent on behalf of that origin.
        WorkContext.withoutOrigin { TaskPlace.start(priority: priority, on: actor) { [self] actor in await begin(on: actor) } }
    }

    /// Runs the body, unless it was cancelled. Nothing suspends between the look at the state and the body's first line.
    private func begin(on actor: isolated (any Actor)?) async {
        let task = withUnsafeCurrentTask { $0 }
        if case .waiting(let body) = exchange(.begun(task), ifNew: .new) { await body(actor) }
    }

    /// Marks the task as over, and releases it. Called at the end of the body.
    func end() {
        over.store(true, ordering: .releasing)
        discard(exchange(.over, ifNew: .over))
    }

    /// Cancels the task, and releases the body if it has not begun.
    func cancel() {
        over.store(true, ordering: .releasing)
        let before = exchange(.over, ifNew: .over)
        if case .begun(let task) = before { task?.cancel() }
        discard(before)
    }

    /// Sets the next state, unless the task is over; that of a task that was not started is `ifNew`. Returns the state before.
    private func exchange(_ next: State, ifNew: State) -> State {
        state.withLock { state in
            let before = state
            switch state {
            case .new: state = ifNew
            case .waiting, .begun: state = next
            case .over: break
            }
            return before
        }
    }
}

/// Makes the origin of a running body of ``AnyPublisher/run(priority:_:)`` available to the code that the body calls.
package final class RunningBody: @unchecked Sendable {
    // Sound: the task is set before the object is visible to others; only the runtime changes the weak reference.

    /// The running body. Tasks that the body starts inherit it, hence the comparison in ``currentOrigin``.
    @TaskLocal private static var bound: RunningBody?

    private weak var origin: (any _SubscriberContext)?
    private var task: UnsafeCurrentTask?

    /// - Parameter origin: The `_subscriberContext` of the subscriber at the end of the chain.
    init(_ origin: any _SubscriberContext) { self.origin = origin }

    /// The origin for which the current task runs a body; nil if it runs none.
    ///
    /// It is also nil in a task that a body has started, as the body need not await what that task awaits.
    package static var currentOrigin: (any _SubscriberContext)? {
        guard let bound, withUnsafeCurrentTask(body: { $0 == bound.task }) else { return nil }
        return bound.origin
    }

    /// The origin for which the body runs that the current task belongs to: its own task, or one that the body has started.
    package static var surroundingOrigin: (any _SubscriberContext)? { bound?.origin }

    /// Indicates that the origin was cancelled, even if it has not yet cancelled its streams.
    var isUnwanted: Bool { origin?._wantsNoMore == true }

    /// Runs the body in the current task, on the actor that it is on.
    func run(on actor: isolated (any Actor)?, _ body: () async -> Void) async {
        task = withUnsafeCurrentTask { $0 }
        await Self.$bound.withValue(self, operation: body)
    }
}
