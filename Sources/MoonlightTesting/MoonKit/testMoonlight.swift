import Moonlight
import Streams

/// Sends events to a `transform` and an `apply`, and compares the state when all effects have arrived.
///
/// ```swift
/// @Test func counts() async throws {
///     try await testMoonlight(
///         events: [.tapped, .tapped], initialState: Counter(), expectedState: Counter(count: 2),
///         environment: environment, transform: CounterReducer.transform, apply: CounterReducer.apply)
/// }
/// ```
///
/// Returns when all streams of effects have finished. If one never does, this function never returns: give the test a time limit.
/// For anything more, write a ``Plan``.
///
/// The idea is MoonKit's; its `testMoonlight` compares the state before asynchronous effects have arrived.
///
/// - Parameters:
///   - events: The events, sent one after the other.
///   - initialState: The state before the first event.
///   - expectedState: The state that the last one must equal.
///   - environment: What `transform` needs; it may do its work on any thread and at any time.
///   - transform: Turns an event into a stream of effects.
///   - apply: Folds an effect into the state.
///   - fileID: The file of this call, for failures.
///   - file: The path of that file.
///   - line: The line of this call.
///   - column: The column of this call.
/// - Throws: A ``PlanFailure`` if the last state differs; it lists the fields that do.
public func testMoonlight<State: Equatable, Event, Effect, Environment>(
    events: [Event], initialState: State, expectedState: State, environment: Environment,
    transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
    apply: @escaping @Sendable (State, Effect) -> State,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async throws(PlanFailure) {
    let last = Lock(UncheckedTransfer(initialState))
    let ended = Future<Void, Never> { promise in
        var loop: AnyCancellable?
        let states = Moonlight.start(
            initialState: initialState, environment: environment,
            feedback: { _ in events.publisher.eraseToAnyPublisher() }, transform: transform, apply: apply,
            store: { loop = $0 }, isolation: nil)
        // Keeps the loop alive until its end.
        let held = UncheckedTransfer(loop)
        states.subscribe(
            Subscribers.Sink<State, Never>(
                isolation: nil,
                receiveCompletion: { _ in withExtendedLifetime(held) { promise(.success(())) } },
                receiveValue: { state in
                    // Releases the previous state outside the lock.
                    var state = UncheckedTransfer(state)
                    last.withLock { swap(&$0, &state) }
                }))
    }
    await ended.value
    let state = last.withLock { $0 }.value
    if state == expectedState { return }
    throw PlanFailure(
        Differences.failure("", expected: expectedState, got: state).joined(separator: "\n"),
        at: SourcePlace(fileID: fileID, file: file, line: line, column: column))
}

/// A test case for one `transform` and one `apply`, in the form that MoonKit has it.
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
    /// What `transform` needs to do its work.
    associatedtype Environment

    /// The environment that is passed to `transform`.
    var environment: Environment { get }
    /// Turns an event into a stream of effects. Calls the function under test.
    func transform(state: State, event: Event, environment: Environment) throws -> AnyPublisher<Effect, Never>
    /// Folds an effect into the state. Calls the function under test.
    func apply(state: State, effect: Effect) -> State
}

extension MoonlightTestCase {
    /// Sends an event, and compares the state when all effects have arrived. See
    /// ``testMoonlight(events:initialState:expectedState:environment:transform:apply:fileID:file:line:column:)``.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - initialState: The state before the event.
    ///   - expectedState: The state that the last one must equal.
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

    /// Sends events, one after the other, and compares the state when all effects have arrived. See
    /// ``testMoonlight(events:initialState:expectedState:environment:transform:apply:fileID:file:line:column:)``.
    ///
    /// - Parameters:
    ///   - events: The events, sent one after the other.
    ///   - initialState: The state before the first event.
    ///   - expectedState: The state that the last one must equal.
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
