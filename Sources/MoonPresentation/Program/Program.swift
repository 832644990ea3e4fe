import Moonlight
import Streams

/// A terminal program: a reducer, views of its state, and keys.
///
/// ```swift
/// try Program(notes, initialState: Notes(), environment: ()) { notes, screen in
///     screen.add(List(notes.lines, selected: notes.selected, select: Event.select))
/// }
/// .keys([.control("d"): .remove], quit: [.escape]).run()
/// ```
/// A program is a value, which can be run several times, also at once on several terminals. A test runs it without a terminal:
/// see `pilot(size:)` of MoonPresentationTesting. The reducer and the views run on a thread of the program, and not on the
/// main actor.
public struct Program<State: Equatable & Sendable, Event: Sendable, Effect, Environment: Sendable> {
    @usableFromInline
    typealias Feedback = (AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>]

    package let reducer: Reducer<State, Event, Effect, Environment>
    package let initialState: State
    package let environment: Environment
    let options: LoopOptions<State, Event, Effect>
    var settings: ProgramSettings<State, Event>
    package var feedbacks: [(AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>]] = []
    var noting: Noting?
    private let launch: Launch

    /// A function that starts a loop, specialized in the caller's module: see ``ProgramLoop``.
    @usableFromInline
    typealias Launch = @Sendable (LoopOptions<State, Event, Effect>, [Feedback]) -> ProgramLoop<State, Event>

    /// Creates a program.
    ///
    /// - Parameters:
    ///   - reducer: The reducer.
    ///   - initialState: The state before any effect.
    ///   - environment: The dependencies of the reducer.
    ///   - options: The options of the loop.
    ///   - build: Adds the views of a state to a screen. It is called for each frame and must depend only on its arguments. If it
    ///     throws, the program ends with that error.
    @inlinable
    public init(
        _ reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        _ build: @escaping @Sendable (State, LayoutScreen<Event>) throws -> Void
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
        _ options: LoopOptions<State, Event, Effect>, launch: @escaping Launch,
        _ build: @escaping @Sendable (State, LayoutScreen<Event>) throws -> Void
    ) {
        self.reducer = reducer
        self.initialState = initialState
        self.environment = environment
        self.options = options
        self.launch = launch
        settings = ProgramSettings(build: build)
    }

    /// Starts the loop of a run.
    ///
    /// - Returns: The loop, which runs until it is cancelled or all streams of events have ended, and the notes for the view.
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
    /// Creates a program without effects or dependencies, whose events change the state.
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
        _ initialState: State, update: @escaping @Sendable (inout State, Event) -> Void,
        _ build: @escaping @Sendable (State, LayoutScreen<Event>) throws -> Void
    ) {
        self.init(
            Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: update),
            initialState: initialState, environment: (), build)
    }
}

extension Program {
    /// The screen of the program without its loop.
    ///
    /// - Parameter size: The size of the screen.
    /// - Throws: A ``ProgramError`` if a table has a key twice.
    package func screen(size: Size) throws(ProgramError) -> ProgramScreen<State, Event> {
        try settings.check()
        return ProgramScreen(settings, size: size)
    }

    /// Starts a run of the program without a terminal.
    ///
    /// - Parameter size: The size of the screen.
    /// - Throws: A ``ProgramError`` if a table has a key twice.
    package func startCore(size: Size) throws(ProgramError) -> ProgramCore<State, Event> {
        try settings.check()
        let (loop, notes) = start()
        return ProgramCore(loop, notes, settings, size: size, wake: {})
    }
}
