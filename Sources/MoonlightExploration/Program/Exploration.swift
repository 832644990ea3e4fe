import Moonlight
import MoonlightTesting
import Streams

/// A model checker for reducers: tries each event, and each answer, failure and timer in each order.
///
/// ```swift
/// try Exploration(search, given: Search()) { World(find: $0.async(find)) }
///     .events([.typed("mo"), .typed("moon"), .clear], atMost: 3)
///     .answers(find, with: [["moonlight"]], failing: [Offline()])
///     .always("every result belongs to the question") { $0.found.isEmpty || $0.foundFor == $0.query }
///     .whenQuiet("nothing is loading") { !$0.isLoading }
///     .run()
/// ```
/// The unmodified reducer runs in a loop, with the environment that the closure creates from `Stubs`, in virtual time. The search is
/// breadth first, so that a counterexample is a shortest one. Equal nodes are explored once; see ``run()``.
///
/// An exploration is a value. It depends on no test framework: ``run()`` throws an ``ExplorationFailure``.
public struct Exploration<State: Equatable, Event, Effect, Environment> {
    let reducer: Reducer<State, Event, Effect, Environment>
    let given: State
    let environment: @Sendable (Stubs) -> Environment
    let feedback: (@Sendable (AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])?
    let keys: StateKeys<State>
    /// Returns a key that distinguishes events.
    let eventKey = distinguishing(Event.self)
    /// Tries events by values, as compiled in the caller's module.
    let trial: ValueTrial<State, Event, Environment>
    /// Starts loops, as compiled in the caller's module.
    let loop: PlayLoop<State, Event, Effect, Environment>
    let place: SourcePlace
    var sources: [EventSource<State, Event>] = []
    /// True if feedback depends only on the last state.
    var feedbackForgets = false
    var rules: [String: CallRule] = [:]
    var properties: [Property<State>] = []
    var limits = ExplorationLimits()
    var deadEnds: DeadEnds<State>?
    var hasCancellations = false
    var threads = 1
    /// Receives the name of each sequence of choices before its last choice is tried; nil if the exploration is not traced.
    var trace: (@Sendable (String) -> Void)?
    /// True if no other choice comes before the events that follow from one.
    var hasOneSender = false
    var triesAllOrders = false
    /// True if plays continue after the choice for which they were begun; see ``StepsAhead``.
    var looksAhead = true
    /// The output on which long explorations show their progress; nil for standard error.
    var terminal: ProgressTerminal?
    var isDrawn = false
    var isCovered = false
    var kind: ((State) -> String)?
    var label: (@Sendable (State) -> String)?
    var isExpectedRefusal: (@Sendable (any Error) -> Bool)?

    /// Creates an exploration of a reducer whose states are Hashable.
    ///
    /// - Parameters:
    ///   - reducer: The reducer.
    ///   - state: The initial state.
    ///   - feedback: Returns streams of events, given the states and the environment, as in the program. Nodes of a program
    ///     with feedback are equal only if feedback has received the same states.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - environment: Creates the environment from `Stubs`; called once per play. It must have no memory that outlives an
    ///     effect.
    @inlinable
    public init(
        _ reducer: Reducer<State, Event, Effect, Environment>, given state: State,
        feedback: (@Sendable (AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        environment: @escaping @Sendable (Stubs) -> Environment
    ) where State: Hashable {
        let keys = StateKeys<State>()
        self.init(
            reducer, state, environment, feedback, keys, ValueTrial(reducer, print: keys.print), PlayLoop(reducer),
            SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    /// Creates an exploration of a reducer with a key for its states.
    ///
    /// - Parameters:
    ///   - reducer: The reducer.
    ///   - state: The initial state.
    ///   - key: Returns the key of a state. States with equal keys must have the same future.
    ///   - feedback: Returns streams of events, given the states and the environment, as in the program.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - environment: Creates the environment from `Stubs`; called once per play.
    @inlinable
    public init<Key: Hashable>(
        _ reducer: Reducer<State, Event, Effect, Environment>, given state: State, key: @escaping @Sendable (State) -> Key,
        feedback: (@Sendable (AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        environment: @escaping @Sendable (Stubs) -> Environment
    ) {
        let keys = StateKeys(key)
        self.init(
            reducer, state, environment, feedback, keys, ValueTrial(reducer, print: keys.print), PlayLoop(reducer),
            SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    @usableFromInline
    init(
        _ reducer: Reducer<State, Event, Effect, Environment>, _ state: State,
        _ environment: @escaping @Sendable (Stubs) -> Environment,
        _ feedback: (@Sendable (AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])?,
        _ keys: StateKeys<State>, _ trial: ValueTrial<State, Event, Environment>,
        _ loop: PlayLoop<State, Event, Effect, Environment>, _ place: SourcePlace
    ) {
        self.reducer = reducer
        given = state
        self.environment = environment
        self.feedback = feedback
        self.keys = keys
        self.trial = trial
        self.loop = loop
        self.place = place
    }

    func changed(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

/// The key that distinguishes states.
@usableFromInline
struct StateKeys<State> {
    @usableFromInline let key: (State) -> AnyHashable
    @usableFromInline let print: (State) -> UInt64
    @usableFromInline let isSame: (State, State) -> Bool

    /// Distinguishes states by a key.
    @inlinable
    init<Key: Hashable>(_ key: @escaping (State) -> Key) {
        self.key = { AnyHashable(OneOf(value: key($0))) }
        print = { UInt64(bitPattern: Int64(key($0).hashValue)) }
        isSame = { key($0) == key($1) }
    }

    /// Distinguishes states by themselves.
    @inlinable
    init() where State: Hashable { self.init { $0 } }
}

/// A wrapper that `AnyHashable` hashes and compares as one value: it would box each element of a bare array.
@usableFromInline
struct OneOf<Value: Hashable>: Hashable {
    @usableFromInline let value: Value
    @inlinable init(value: Value) { self.value = value }
}
