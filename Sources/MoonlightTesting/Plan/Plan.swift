import Moonlight
import Streams

/// A test of a reducer, as a value: an initial state, events and answers, and the expected results.
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
///
/// `run()` executes the plan on its own loop, on the calling thread. Dependencies are ``Stub``s whose calls the plan answers,
/// time is virtual, and the asynchronous bodies of `run` execute on the calling thread. A plan therefore takes microseconds, and
/// its outcome is deterministic.
///
/// A plan also fails for behavior that no step mentions: an unexpected call, the cancellation of a call that the plan then answers, a
/// stream that is still alive at the end, or a rejected event. It depends on no test framework; see ``PlanFailure``.
public struct Plan<State: Equatable, Event, Effect, Environment>: PlanSteps {
    /// The steps so far, which refer to the whole state, all events and all effects.
    public var contents = PlanContents<State, Event, Effect, State, Event, Effect>(
        focus: .init(name: "", scopePath: [], read: { $0 }, embed: { $0 }, extract: { $0 }))
    {
        didSet {
            token.use()
            token = PlanToken(contents.steps.last?.place ?? place)
        }
    }
    let blueprint: Blueprint<State, Event, Effect>
    let place: SourcePlace
    private(set) var token: PlanToken

    /// Creates a plan for a reducer.
    ///
    /// - Parameters:
    ///   - reducer: The reducer under test.
    ///   - state: The initial state.
    ///   - feedback: Returns streams of events, given the states and the environment, as in the program.
    ///   - environment: Creates the environment from ``Stubs``. Called once for each world, that is, for the plan and for
    ///     each of its forks.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public init(
        _ reducer: Reducer<State, Event, Effect, Environment>, given state: State,
        feedback: ((AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        environment: @escaping (Stubs) -> Environment
    ) {
        place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        token = PlanToken(place)
        blueprint = Blueprint(given: state) { world in
            let environment = environment(world.stubs)
            return Store(
                reducer: reducer, initialState: state, environment: environment,
                options: LoopOptions(journal: world.journal.take),
                feedback: { states in
                    // A stream that never finishes keeps the loop from ending.
                    [Empty(completeImmediately: false).eraseToAnyPublisher()] + (feedback?(states, environment) ?? [])
                })
        }
    }

    /// Creates a plan for a reducer whose environment needs no stubs.
    ///
    /// - Parameters:
    ///   - reducer: The reducer under test.
    ///   - state: The initial state.
    ///   - environment: The environment, which all forks share.
    ///   - feedback: Returns streams of events, given the states and the environment, as in the program.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public init(
        _ reducer: Reducer<State, Event, Effect, Environment>, given state: State, environment: Environment,
        feedback: ((AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        self.init(
            reducer, given: state, feedback: feedback, fileID: fileID, file: file, line: line, column: column,
            environment: { _ in environment })
    }

    /// Adds an alternative continuation: other steps from this point on. The plan itself continues as if the fork were not there.
    ///
    /// ```swift
    /// plan.when(.tapped)
    ///     .fork("the network is down") { $0.fail(post(1), with: .offline).then(\.count, equals: 0) }
    ///     .resolve(post(1), with: 1)
    ///     .then(\.count, equals: 1)
    /// ```
    ///
    /// The earlier steps are run again in a separate world, with an environment of its own; the trace does not repeat them. Forks may
    /// contain forks.
    ///
    /// - Parameters:
    ///   - name: The name of the fork in the trace.
    ///   - steps: Adds the steps of the fork to an empty plan.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    /// - Returns: The plan with the fork.
    public func fork(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ steps: (Self) -> Self
    ) -> Self {
        adding(fork: name, at: SourcePlace(fileID: fileID, file: file, line: line, column: column)) { empty in
            let fork = steps(empty)
            empty.token.use()
            fork.token.use()
            return fork
        }
    }
}

/// The initial state of a plan, and a function that starts its loop in a world.
struct Blueprint<State: Equatable, Event, Effect> {
    let given: State
    let start: (PlanWorld<State, Event, Effect>) -> Store<State, Event>
}

/// A token that reports a plan that is released without a run, and detects a second run.
final class PlanToken: @unchecked Sendable {
    // Sound: all mutable state is behind the lock.
    private enum Use {
        case none
        case extended
        case run
    }
    private let place: SourcePlace
    private let state = Lock(Use.none)

    init(_ place: SourcePlace) { self.place = place }

    /// Marks the plan as part of a longer plan.
    func use() { state.withLock { if $0 == .none { $0 = .extended } } }

    /// Marks the plan as run.
    ///
    /// - Returns: True for the first run.
    func run() -> Bool {
        state.withLock { state in
            defer { state = .run }
            return state != .run
        }
    }

    deinit {
        guard state.withLock({ $0 == .none }) else { return }
        let failure = PlanFailure("a plan that is never run tests nothing: end it with .run()", at: place)
        if let reporter = PlanHygiene.reporter { reporter.report(failure) } else { Swift.print("warning: \(failure)") }
    }
}

/// Reports of plans that were never run.
package enum PlanHygiene {
    /// The receiver of plans that were never run, called on the thread that releases the plan; if nil, a warning is printed.
    @TaskLocal package static var reporter: Reporter?

    package struct Reporter: Sendable {
        // A closure bound to a task-local directly, not inside a struct, crashes optimized code of the Swift 6.3 compiler.
        let report: @Sendable (PlanFailure) -> Void

        package init(_ report: @escaping @Sendable (PlanFailure) -> Void) { self.report = report }
    }
}
