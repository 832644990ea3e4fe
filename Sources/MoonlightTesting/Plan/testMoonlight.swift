import Moonlight
import Streams

/// Sends events to a `transform` and an `apply`, and compares the state after all effects have arrived.
///
/// Returns when all streams of effects have finished. Fails after `patience` with the events whose streams are still open. For
/// any other test, write a ``Plan``.
///
/// The function is adapted from MoonKit, whose `testMoonlight` compares the state before asynchronous effects have arrived.
///
/// - Parameters:
///   - events: The events, sent one after the other.
///   - initialState: The state before the first event.
///   - expectedState: The expected last state.
///   - environment: The environment of `transform`, which may work on any thread and at any time.
///   - transform: Returns the stream of effects of an event.
///   - apply: Folds an effect into the state.
///   - patience: The time after which it fails if a stream of effects has not finished.
///   - fileID: The file of this call, for failures.
///   - file: The path of that file.
///   - line: The line of this call.
///   - column: The column of this call.
/// - Throws: A ``PlanFailure`` with the fields that differ, or with the streams that have not finished in time.
package func testMoonlight<State: Equatable, Event, Effect, Environment>(
    events: [Event], initialState: State, expectedState: State, environment: Environment,
    transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
    apply: @escaping @Sendable (State, Effect) -> State, patience: Duration = .seconds(10),
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async throws(PlanFailure) {
    let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
    let last = Lock(UncheckedTransfer(initialState))
    let open = OpenStreams()
    let loop = Lock(AnyCancellable?.none)
    let hasEnded = Future<Bool, Never> { promise in
        let timer = failing(promise, after: patience)
        let states = Moonlight.start(
            initialState: initialState, environment: environment,
            feedback: { _ in events.publisher.eraseToAnyPublisher() },
            // `loop` keeps the loop alive until its end.
            transform: noting(transform, in: open), apply: apply, store: { started in loop.withLock { $0 = started } },
            isolation: nil)
        states.subscribe(
            Subscribers.Sink<State, Never>(
                isolation: nil,
                receiveCompletion: { _ in
                    timer.cancel()
                    promise(.success(true))
                },
                receiveValue: { state in
                    // Releases the previous state outside the lock.
                    var state = UncheckedTransfer(state)
                    last.withLock { swap(&$0, &state) }
                }))
    }
    let isComplete = await hasEnded.value
    let awaited = open.events
    let started = loop.withLock { $0.take() }
    started?.cancel()
    let state = last.withLock { $0 }.value
    if !isComplete {
        throw PlanFailure(
            """
            after \(patience), streams of effects are still open for \(awaited.joined(separator: ", "))
            The state is \(ValueText.shown("\(state)"))
            """, at: place)
    }
    if state == expectedState { return }
    throw PlanFailure(Differences.failure("", expected: expectedState, got: state).joined(separator: "\n"), at: place)
}

/// Returns a `transform` that records its streams while they are open.
private func noting<State, Event, Effect, Environment>(
    _ transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>, in open: OpenStreams
) -> @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never> {
    { state, event, environment in
        let effects = try transform(state, event, environment)
        let number = open.add(ValueText.describe(event))
        return effects.handleEvents(
            receiveCompletion: { _ in open.remove(number) }, receiveCancel: { open.remove(number) }
        ).eraseToAnyPublisher()
    }
}

/// Starts a task that resolves a promise with false after a duration.
private func failing(_ promise: @escaping Future<Bool, Never>.Promise, after patience: Duration) -> Task<Void, Never> {
    Task { if (try? await Task.sleep(for: patience)) != nil { promise(.success(false)) } }
}

/// The events whose streams of effects are open.
private final class OpenStreams: Sendable {
    private let streams = Lock((count: 0, open: [Int: String]()))

    /// The descriptions of the events, in order.
    var events: [String] { streams.withLock { $0.open }.sorted { $0.key < $1.key }.map(\.value) }

    func add(_ event: String) -> Int {
        streams.withLock { streams in
            streams.count += 1
            streams.open[streams.count] = event
            return streams.count
        }
    }

    func remove(_ number: Int) { discard(streams.withLock { $0.open.removeValue(forKey: number) }) }
}

/// A test case for one `transform` and one `apply`, as in MoonKit.
///
/// ```swift
/// struct CounterTests: MoonlightTestCase {
///     let environment = CounterEnvironment(post: { Just($0).eraseToAnyPublisher() })
///     func transform(state: Counter, event: CounterEvent, environment: CounterEnvironment) -> AnyPublisher<CounterEffect, Never> {
///         CounterReducer.transform(state: state, event: event, environment: environment)
///     }
///     func apply(state: Counter, effect: CounterEffect) -> Counter { CounterReducer.apply(state: state, effect: effect) }
///
///     @Test func counts() async throws {
///         try await testMoonlight(event: .tapped, initialState: Counter(), expectedState: Counter(count: 1))
///     }
/// }
/// ```
public protocol MoonlightTestCase {
    /// The state of the loop.
    associatedtype State: Equatable
    /// The events of the loop.
    associatedtype Event
    /// The effects of the loop.
    associatedtype Effect
    /// The environment of `transform`.
    associatedtype Environment

    /// The environment that is passed to `transform`.
    var environment: Environment { get }
    /// Returns the stream of effects of an event. Calls the function under test.
    func transform(state: State, event: Event, environment: Environment) throws -> AnyPublisher<Effect, Never>
    /// Folds an effect into the state. Calls the function under test.
    func apply(state: State, effect: Effect) -> State
}

extension MoonlightTestCase {
    /// Sends an event, and compares the state after all effects have arrived. Fails if a stream of
    /// effects has not finished after ten seconds, with the events whose streams are open.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - initialState: The state before the event.
    ///   - expectedState: The expected last state.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    /// - Throws: A ``PlanFailure`` if the last state differs.
    public func testMoonlight(
        event: Event, initialState: State, expectedState: State,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws(PlanFailure) {
        try await testMoonlight(
            events: [event], initialState: initialState, expectedState: expectedState,
            fileID: fileID, file: file, line: line, column: column)
    }

    /// Sends events, one after the other, and compares the state after all effects have arrived. Fails if a stream of
    /// effects has not finished after ten seconds, with the events whose streams are open.
    ///
    /// - Parameters:
    ///   - events: The events, sent one after the other.
    ///   - initialState: The state before the first event.
    ///   - expectedState: The expected last state.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    /// - Throws: A ``PlanFailure`` if the last state differs.
    public func testMoonlight(
        events: [Event], initialState: State, expectedState: State,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws(PlanFailure) {
        try await MoonlightTesting.testMoonlight(
            events: events, initialState: initialState, expectedState: expectedState, environment: environment,
            transform: transforming(self), apply: applying(self),
            fileID: fileID, file: file, line: line, column: column)
    }
}

// Sound: a test case does not change during a test, and a loop makes one call at a time.
private func transforming<Case: MoonlightTestCase>(
    _ test: Case
) -> @Sendable (Case.State, Case.Event, Case.Environment) throws -> AnyPublisher<Case.Effect, Never> {
    unchecked { state, event, environment in
        try test.transform(state: state, event: event, environment: environment)
    }
}

private func applying<Case: MoonlightTestCase>(_ test: Case) -> @Sendable (Case.State, Case.Effect) -> Case.State {
    unchecked { state, effect in test.apply(state: state, effect: effect) }
}

private func unchecked<A, B, C, Result>(
    _ closure: @escaping (A, B, C) throws -> Result
) -> @Sendable (A, B, C) throws -> Result {
    let transfer = UncheckedTransfer(closure)
    return { try transfer.value($0, $1, $2) }
}

private func unchecked<A, B, Result>(_ closure: @escaping (A, B) -> Result) -> @Sendable (A, B) -> Result {
    let transfer = UncheckedTransfer(closure)
    return { transfer.value($0, $1) }
}
