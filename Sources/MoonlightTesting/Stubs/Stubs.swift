import Streams

/// Builds the environment of a plan: functions that record their calls and wait for the plan to answer them, and virtual time
/// that the plan advances.
///
/// ```swift
/// Plan(counter, given: Counter()) { stubs in
///     CounterEnvironment(
///         post: stubs.publisher(post), load: stubs.async(load), log: stubs.function(log),
///         scheduler: stubs.scheduler.eraseToAnyScheduler(), clock: stubs.clock)
/// }
/// ```
///
/// A ``Plan`` passes one to the closure that creates its environment.
public struct Stubs: Sendable {
    /// The plan's virtual time, for streams.
    public let scheduler: VirtualTimeScheduler
    /// The plan's virtual time, for asynchronous functions.
    public var clock: some Clock<Duration> { scheduler.clock }
    @usableFromInline let log: CallLog
    /// Returns the recorded results of plain functions, one after another, given the name of the function and the type of its
    /// result.
    package var results: (@Sendable (String, Any.Type) -> Any?)?
    /// Gives a call the answers that the recorded function has given before the call returned.
    @usableFromInline package var answerAtOnce: (@Sendable (CallRecord) -> Void)?

    package init(scheduler: VirtualTimeScheduler, log: CallLog) {
        self.scheduler = scheduler
        self.log = log
    }

    // MARK: Streams

    /// Returns a function that returns a stream. Each subscription to the stream is recorded as a call.
    ///
    /// Values that the plan sends are kept until the subscriber requests them.
    ///
    /// - Parameter stub: The stub of the function.
    @inlinable
    public func publisher<each Argument, Output, Failure>(
        _ stub: Stub<(repeat each Argument), Output, Failure>
    ) -> @Sendable (repeat each Argument) -> AnyPublisher<Output, Failure> {
        let log = UncheckedTransfer(log)
        let answerAtOnce = answerAtOnce
        return { (arguments: repeat each Argument) in
            ControlledPublisher(
                call: StubCall(stub: stub, input: (repeat each arguments)), log: log.value, answerAtOnce: answerAtOnce
            ).eraseToAnyPublisher()
        }
    }

    // MARK: Asynchronous functions

    /// Returns an asynchronous function, which suspends until the plan answers the call.
    ///
    /// If the function's task is cancelled, the call counts as cancelled, which a plan checks by `cancelled(_:)`. If the function
    /// may throw any error, it then throws a `CancellationError`. A function with a specific error type keeps waiting, and the
    /// plan may still answer it, by `fail(_:with:)` or `resolve(_:with:)`.
    ///
    /// - Parameter stub: The stub of the function.
    public func async<each Argument, Output, Failure>(
        _ stub: Stub<(repeat each Argument), Output, Failure>
    ) -> @Sendable (repeat each Argument) async throws(Failure) -> Output {
        let (log, answerAtOnce) = (log, answerAtOnce)
        return { (arguments: repeat each Argument) async throws(Failure) -> Output in
            try await AsyncAnswer.wait(StubCall(stub: stub, input: (repeat each arguments)), log, answerAtOnce).get()
        }
    }

    /// Returns an asynchronous function that cannot fail.
    ///
    /// It ignores the cancellation of its task, as it has no error to throw: it keeps waiting until the plan answers it.
    ///
    /// - Parameter stub: The stub of the function.
    public func async<each Argument, Output>(
        _ stub: Stub<(repeat each Argument), Output, Never>
    ) -> @Sendable (repeat each Argument) async -> Output {
        // A separate overload, since the compiler crashes if `async throws(Never)` is used as plain `async`.
        let (log, answerAtOnce) = (log, answerAtOnce)
        return { (arguments: repeat each Argument) async -> Output in
            await AsyncAnswer.wait(StubCall(stub: stub, input: (repeat each arguments)), log, answerAtOnce).get()
        }
    }

    // MARK: Plain functions

    /// Returns a synchronous function that returns the result of a closure. Its calls are recorded, and the plan must expect
    /// them.
    ///
    /// - Parameters:
    ///   - stub: The stub of the function.
    ///   - output: Computes the result of a call.
    public func function<each Argument, Output>(
        _ stub: Stub<(repeat each Argument), Output, Never>,
        returning output: @escaping @Sendable (repeat each Argument) -> Output
    ) -> @Sendable (repeat each Argument) -> Output {
        let log = log
        let results = results
        return { (arguments: repeat each Argument) -> Output in
            let call = StubCall(stub: stub, input: (repeat each arguments))
            log.add(CallRecordOf(call, state: .answered, send: { _ in }, finish: { _ in }))
            if let recorded = results?(stub.name, Output.self), let result = recorded as? Output { return result }
            return output(repeat each arguments)
        }
    }

    /// Returns a synchronous function that returns the given results, one after another, and then repeats the last one.
    ///
    /// Its calls are recorded, and the plan must expect them.
    ///
    /// - Parameters:
    ///   - stub: The stub of the function.
    ///   - outputs: The results. If there are none, the function must not be called.
    public func function<each Argument, Output: Sendable>(
        _ stub: Stub<(repeat each Argument), Output, Never>, inOrder outputs: [Output]
    ) -> @Sendable (repeat each Argument) -> Output {
        let place = Place()
        return function(stub) { (_: repeat each Argument) in
            precondition(
                !outputs.isEmpty, "\(stub.name) was called, but stubs.function(\(stub.name), inOrder:) has no result: pass one")
            return outputs[place.next(below: outputs.count)]
        }
    }

    /// Returns a synchronous function that returns nothing.
    ///
    /// - Parameter stub: The stub of the function.
    public func function<each Argument>(
        _ stub: Stub<(repeat each Argument), Void, Never>
    ) -> @Sendable (repeat each Argument) -> Void {
        function(stub) { (_: repeat each Argument) in }
    }
}

/// The number of results of a function that were returned.
private final class Place: Sendable {
    private let calls = Lock(0)

    /// Returns the number of calls before this one, at most the index of the last result.
    func next(below count: Int) -> Int {
        calls.withLock { calls in
            defer { calls = min(calls + 1, count - 1) }
            return calls
        }
    }
}

/// A stream whose values and completion come from the plan. Values are buffered until they are requested.
@usableFromInline
struct ControlledPublisher<Input, Output, Failure: Error>: GrammaticalPublisher {
    @usableFromInline let call: StubCall<Input, Output, Failure>
    @usableFromInline let log: CallLog
    @usableFromInline let answerAtOnce: (@Sendable (CallRecord) -> Void)?

    @inlinable
    init(call: StubCall<Input, Output, Failure>, log: CallLog, answerAtOnce: (@Sendable (CallRecord) -> Void)?) {
        self.call = call
        self.log = log
        self.answerAtOnce = answerAtOnce
    }

    @inlinable
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let subscription = DeliverySubscription(subscriber, named: "Controlled")
        let record = CallRecordOf(
            call, send: { subscription.send($0) },
            finish: { subscription.finish($0.map { .failure($0) } ?? .finished) })
        log.add(record)
        subscription.start { record.cancel() }
        answerAtOnce?(record)
    }
}

/// The answer to a pending call of an asynchronous function.
private final class AsyncAnswer<Output, Failure: Error>: @unchecked Sendable {
    // Sound: all mutable state is behind the lock; the continuation is resumed outside it, once.
    private typealias Answer = UncheckedTransfer<Result<Output, Failure>>
    private struct State: @unchecked Sendable {
        // Sound: only accessed behind the lock.
        var continuation: UnsafeContinuation<Answer, Never>?
        var answer: Answer?
    }

    private let state = Lock(State())

    static func wait<Input>(
        _ call: StubCall<Input, Output, Failure>, _ log: CallLog, _ answerAtOnce: (@Sendable (CallRecord) -> Void)?
    ) async -> Result<Output, Failure> {
        let cancellation = CancellationError() as? Failure
        let answer = AsyncAnswer()
        let record = CallRecordOf(
            call, send: { answer.give(.success($0)) },
            finish: { error in if let error { answer.give(.failure(error)) } })
        log.add(record)
        answerAtOnce?(record)
        if let given = answer.state.withLock({ $0.answer }) { return given.value }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { answer.wait($0) }.value
        } onCancel: {
            if Failure.self == Never.self { return record.ignoreCancellation() }
            if record.cancel(isAwaited: cancellation == nil), let cancellation { answer.give(.failure(cancellation)) }
        }
    }

    private func wait(_ continuation: UnsafeContinuation<Answer, Never>) {
        let answer = state.withLock { state in
            if state.answer == nil { state.continuation = continuation }
            return state.answer
        }
        if let answer { continuation.resume(returning: answer) }
    }

    private func give(_ result: Result<Output, Failure>) {
        let answer = Answer(result)
        let continuation = state.withLock { state in
            if state.answer == nil { state.answer = answer }
            return state.continuation.take()
        }
        continuation?.resume(returning: answer)
    }
}
