import Moonlight
import Streams

/// A state presented in a terminal: a reducer, a view of its state, and the keys.
///
/// ```swift
/// try Program(notes, initialState: Notes(), environment: ()) { notes, screen in
///     let list = screen.add(List(notes.lines, selected: notes.selected, select: Event.select))
///     list.constrain(.all, to: screen)
/// }
/// .keys([.control("d"): .remove], quit: [.escape]).run()
/// ```
/// A program is a value that does nothing until it is run. The same program can be run several times, also at once, on terminals of
/// different users. A test runs it without any terminal: see ``pilot(size:)``.
///
/// The reducer and the view run on a thread of the program's own, so that neither waits for the main actor.
public struct Program<State: Equatable & Sendable, Event: Sendable, Effect, Environment: Sendable> {
    /// A function that adds the views of a state to a screen.
    public typealias Build = @Sendable (State, LayoutScreen<Event>) throws -> Void
    /// A function that makes streams of events of the stream of states, with the environment.
    public typealias Feedback = (AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>]

    package let reducer: Reducer<State, Event, Effect, Environment>
    package let initialState: State
    package let environment: Environment
    let options: LoopOptions<State, Event, Effect>
    var settings: ProgramSettings<State, Event>
    package var feedbacks: [Feedback] = []
    var noting: Noting?
    private let launch: Launch

    /// Starts a loop. Formed where the types are known: see ``ProgramLoop``.
    @usableFromInline
    typealias Launch = @Sendable (LoopOptions<State, Event, Effect>, [Feedback]) -> ProgramLoop<State, Event>

    /// Creates a program.
    ///
    /// - Parameters:
    ///   - reducer: What events and effects do.
    ///   - initialState: The state before any effect.
    ///   - environment: The dependencies of the reducer.
    ///   - options: The options of the loop.
    ///   - build: Adds views of a state to a screen. It is called for each frame, and depends on nothing but the state and the screen.
    ///     If it throws, the program ends with that error.
    @inlinable
    public init(
        _ reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        _ build: @escaping Build
    ) {
        self.init(
            reducer, initialState, environment, options,
            launch: { options, feedbacks in
                ProgramLoop(
                    Store(
                        reducer: reducer, initialState: initialState, environment: environment, options: options,
                        feedback: { states in
                            feedbacks.flatMap { $0(states, environment) }
                                + [Empty(completeImmediately: false).eraseToAnyPublisher()]
                        }))
            }, build)
    }

    @usableFromInline
    init(
        _ reducer: Reducer<State, Event, Effect, Environment>, _ initialState: State, _ environment: Environment,
        _ options: LoopOptions<State, Event, Effect>, launch: @escaping Launch, _ build: @escaping Build
    ) {
        self.reducer = reducer
        self.initialState = initialState
        self.environment = environment
        self.options = options
        self.launch = launch
        settings = ProgramSettings(build: build)
    }

    /// Creates a program of the two functions of a loop.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: The dependencies of `transform`.
    ///   - options: The options of the loop.
    ///   - transform: Turns an event into a stream of effects, or throws to reject the event.
    ///   - apply: Returns the state after an effect.
    ///   - build: Adds views of a state to a screen.
    @inlinable
    public init(
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State,
        _ build: @escaping Build
    ) {
        self.init(
            Reducer(transform: transform, apply: apply), initialState: initialState, environment: environment, options: options,
            build)
    }

    /// Starts the loop, for one run.
    ///
    /// - Returns: Where events are sent, and what the view is told beside the state. It runs until it is cancelled, or until all other
    ///   streams of events have ended.
    func start() -> (loop: ProgramLoop<State, Event>, notes: ProgramNotes) {
        let notes = ProgramNotes()
        var options = options
        if let noting {
            options.journal = { [journal = options.journal] record in
                journal?(record)
                noting.take(record, notes)
            }
        }
        return (launch(options, feedbacks), notes)
    }
}

extension Program where Effect == Event, Environment == Void {
    /// Creates a program whose events change the state themselves, without effects or dependencies.
    ///
    /// ```swift
    /// try Program(0, update: { count, step in count += step }) { count, screen in
    ///     screen.add(Text("\(count)"))
    /// }
    /// .keys(["+": 1, "-": -1], quit: ["q"]).run()
    /// ```
    /// - Parameters:
    ///   - initialState: The state before any event.
    ///   - update: Changes the state. Must be pure.
    ///   - build: Adds views of a state to a screen.
    @inlinable
    public init(
        _ initialState: State, update: @escaping @Sendable (inout State, Event) -> Void, _ build: @escaping Build
    ) {
        self.init(
            Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: update),
            initialState: initialState, environment: (), build)
    }
}
