import Moonlight
import Streams

/// A test of a reducer, as a value: what is given, what happens, and what must then be so.
///
/// ```swift
/// let post = Stub<Int, Int, NetworkError>("post")
///
/// @Test func countsAndSynchronises() throws {
///     try Plan(counter, given: Counter()) { CounterEnvironment(post: $0.publisher(post)) }
///         .then(\.count, equals: 0)
///         .when(.tapped)
///         .then(\.count, equals: 1)
///         .then(\.isBusy, equals: true)
///         .fork("the network is down") {
///             $0.fail(post(1), with: .offline)
///                 .then(\.count, equals: 0)
///         }
///         .resolve(post(1), with: 1)
///         .then(\.isBusy, equals: false)
///         .run()
/// }
/// ```
/// `run()` plays it on a loop of its own. Nothing waits for anything real: dependencies are ``Stub``s that the plan
/// answers, in whichever order it says; time is virtual; the bodies of `run`, asynchronous as they are, run on the calling
/// thread. So it takes microseconds, and always comes out the same.
///
/// What nobody has asked about fails it too: a call that was made and not expected, a stream that is still alive at the end,
/// an answer for a call that was cancelled, an event that was refused. It needs no test framework: see ``PlanFailure``.
public struct Plan<State: Equatable, Event, Effect, Environment>: PlanSteps {
    /// Steps look at everything.
    public let focus = PlanFocus<State, Event, Effect, State, Event, Effect>(
        name: "", scopePath: [], read: { $0 }, embed: { $0 }, extract: { $0 })
    let blueprint: Blueprint<State, Event, Effect>
    let place: SourcePlace
    var steps: [PlanStep<State, Event, Effect>] = []
    var token: PlanToken

    /// A plan for a reducer.
    ///
    /// - Parameters:
    ///   - reducer: What is tested.
    ///   - state: The state at the beginning.
    ///   - feedback: Given the states and the environment, returns streams of events, as in the program.
    ///   - environment: Makes the environment out of ``Stubs``; called for each world that the plan is played in.
    public init(
        _ reducer: Reducer<State, Event, Effect, Environment>, given state: State,
        feedback: ((AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        environment: @escaping (Stubs) -> Environment
    ) {
        place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        token = PlanToken(place)
        blueprint = Blueprint(given: state, hasFeedback: feedback != nil) { state, world in
            let environment = environment(world.stubs)
            return Store(
                reducer: reducer, initialState: state, environment: environment,
                options: LoopOptions(journal: world.journal.take),
                feedback: { states in
                    // One more that never ends, so that the loop does not, either.
                    [Empty(completeImmediately: false).eraseToAnyPublisher()] + (feedback?(states, environment) ?? [])
                })
        }
    }

    /// A plan for a reducer that needs nothing of its environment that must be controlled.
    public init(
        _ reducer: Reducer<State, Event, Effect, Environment>, given state: State, environment: Environment,
        feedback: ((AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        self.init(
            reducer, given: state, feedback: feedback, fileID: fileID, file: file, line: line, column: column,
            environment: { _ in environment })
    }

    /// A plan for a `transform` and an `apply`, as `Moonlight.start` takes them.
    public init(
        given state: State,
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State,
        feedback: ((AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        environment: @escaping (Stubs) -> Environment
    ) {
        self.init(
            Reducer(transform: transform, apply: apply), given: state, feedback: feedback,
            fileID: fileID, file: file, line: line, column: column, environment: environment)
    }

    /// The plan with one more step.
    public func adding(_ step: PlanStep<State, Event, Effect>) -> Self {
        var copy = self
        token.use()
        copy.token = PlanToken(step.place)
        copy.steps.append(step)
        return copy
    }

    /// Another end of the story: the same up to here, other steps from here on. This plan goes on as if it were not there.
    ///
    /// ```swift
    /// plan.when(.tapped)
    ///     .fork("the network is down") { $0.fail(post(1), with: .offline).then(\.count, equals: 0) }
    ///     .resolve(post(1), with: 1)
    ///     .then(\.count, equals: 1)
    /// ```
    /// It begins with a copy of the state. Where work is in flight or feedback is bound there is more than a state: what led
    /// here is then played again, unseen, in a world of the fork's own. Forks may have forks.
    public func fork(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ steps: (Self) -> Self
    ) -> Self {
        var empty = self
        empty.steps = []
        empty.token = PlanToken(place)
        let fork = steps(empty)
        empty.token.use()
        fork.token.use()
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return adding(PlanStep(place: place, title: { "Or: \(name)" }, kind: .fork(fork.steps)))
    }
}

/// How a world begins.
struct Blueprint<State: Equatable, Event, Effect> {
    let given: State
    let hasFeedback: Bool
    let start: (State, PlanWorld<State, Event, Effect>) -> Store<State, Event>
}

/// Sees to it that a plan is run, and run once.
final class PlanToken: @unchecked Sendable {
    // Sound: behind the lock.
    private enum Use { case none, extended, run }
    private let place: SourcePlace
    private let state = Lock(Use.none)

    init(_ place: SourcePlace) { self.place = place }

    /// It is part of another plan now.
    func use() { state.withLock { if $0 == .none { $0 = .extended } } }

    /// - Returns: Whether it has not been run before.
    func run() -> Bool {
        state.withLock { state in
            defer { state = .run }
            return state != .run
        }
    }

    deinit {
        guard state.withLock({ $0 == .none }) else { return }
        let failure = PlanFailure("a plan that is never run tests nothing: end it with .run()", at: place)
        if let reporter = PlanHygiene.reporter { reporter.tell(failure) } else { Swift.print("warning: \(failure)") }
    }
}

/// Who is told of a plan that was made and never run; the standard output is, if nobody else.
public enum PlanHygiene {
    /// Told, on the thread that lets go of the plan. Bind it around a test to have it fail:
    /// ```swift
    /// PlanHygiene.$reporter.withValue(.init { Issue.record("\($0)") }) {
    ///     // makes plans
    /// }
    /// ```
    @TaskLocal public static var reporter: Reporter?

    /// What is done with a plan that was never run.
    public struct Reporter: Sendable {
        // A closure by itself, bound to a task, crashes what the Swift 6.3 compiler optimises.
        let tell: @Sendable (PlanFailure) -> Void

        /// - Parameter tell: Gets what the plan would have failed with; called on the thread that lets go of the plan.
        public init(_ tell: @escaping @Sendable (PlanFailure) -> Void) { self.tell = tell }
    }
}
