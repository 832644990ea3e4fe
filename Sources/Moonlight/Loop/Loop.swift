import Streams
import Synchronization

/// The machine behind `Moonlight.start`.
///
/// Everything that happens is an item of one ``Streams/Mailbox``. Whoever finds it idle runs its own item and what follows from that;
/// everybody else leaves an item and returns. What others have left is run by an heir, which belongs to none of them. So state,
/// transform and apply need no lock, and what user code sends from inside is queued instead of nested.
///
/// A loop with a `home` takes its items there only: see `Moonlight.start` for when it has one. Its heir is a task on that actor.
@usableFromInline
final class Loop<State: Equatable, Event, Effect, Environment>: Cancellable, ActorTurn, NoteTaker, QuietLoop,
    @unchecked Sendable
{
    // Sound: the mailbox makes one thread at a time the owner of everything marked so; the rest is atomic or behind the
    // lock of `sources`.

    /// What can happen.
    @usableFromInline
    enum Item {
        case event(Event)
        indirect case tracedEvent(Event, Trace)
        case effect(Effect, from: EffectOrigin)
        /// An event waits in the inbox of a loop that has one.
        case inboxHasMail
        /// The inbox has something for the journal.
        case inboxHasNotes
        indirect case record(JournalRecord<State, Event, Effect>.Step, cause: Int?)
        case effectsEnded(EffectSubscriber<State, Event, Effect, Environment>)
        case eventsEnded
        /// Something is to be done about an observer.
        case observer(SubjectMember<State, Never>, SubjectCore<State, Never>.MemberStep)
        case cancelled
        /// Events from outside are to be refused, and the loop is to end when nothing is in flight.
        case drain
        /// Somebody waits until nothing is in flight.
        case lookForQuiet
    }

    /// What the user gave, and what has become of the state. The owner's; gone with the loop's end.
    @usableFromInline
    final class Program {
        @exclusivity(unchecked) @usableFromInline var state: State
        @usableFromInline let environment: Environment
        @usableFromInline let decide: Reducer<State, Event, Effect, Environment>.Decide
        @usableFromInline let foldInPlace: Reducer<State, Event, Effect, Environment>.Part.Fold
        @usableFromInline let mayCommit: Bool
        /// The state before an effect, for the journal. Here, and not a variable of a function: even where there is no journal, a
        /// large one would be moved about.
        @exclusivity(unchecked) @usableFromInline var before: State?
        /// Here, and not made for each effect, for what that would cost.
        @exclusivity(unchecked) @usableFromInline var folding = Folding<Event>()

        @inlinable
        init(
            _ state: State, _ environment: Environment, _ reducer: Reducer<State, Event, Effect, Environment>,
            loop: LoopCancellation
        ) {
            (self.state, self.environment) = (state, environment)
            (decide, foldInPlace, mayCommit) = (reducer.bind(loop), reducer.fold, reducer.commits)
        }

        /// Shows the states before and after an effect.
        @usableFromInline
        func tell(_ look: (State, State) -> Void) {
            if let before { look(before, state) }
            before = nil
        }
    }

    @usableFromInline let mailbox = Mailbox<Item>()
    @usableFromInline let cancellation: LoopCancellation
    @usableFromInline let sources = Lock(LoopSources())
    /// What jobs and rules find their loop by.
    @usableFromInline let context: LoopContext
    /// The optional parts; nil for a plain loop, which then pays one look.
    @usableFromInline let instruments: LoopInstruments<State, Event, Effect>?
    /// Told of the last state.
    @exclusivity(unchecked) @usableFromInline var tellsOfEnd: ((State) -> Void)?
    /// The thread that handles an item with a trace; 0 if nobody does.
    ///
    /// A loop that is being drained keeps traces of all items: there, it is 1 while nobody handles one.
    @usableFromInline let tracedThread = Atomic<UInt>(0)
    @usableFromInline let home: HomeActor?
    /// Runs the mail as the heir. Formed where the types are known, which keeps it specialised when it is called from afar.
    @usableFromInline let inheritSpecialised: (Loop) -> Void
    /// Leaves word that the loop is cancelled, and takes the end of a stream of effects; formed there, too.
    @usableFromInline let cancelSpecialised: (Loop) -> Void
    @usableFromInline let takeEndSpecialised: (Loop, EffectSubscriber<State, Event, Effect, Environment>) -> Void

    // The owner's. Two are lent while an item is handled, without a count of references: to retain and release them costs a
    // third of an event. Sound, for only the owner ends the loop, and not in the midst of an item.
    @exclusivity(unchecked) @usableFromInline var program: Program?
    @exclusivity(unchecked) @usableFromInline var states: CurrentValueSubject<State, Never>?
    @exclusivity(unchecked) @usableFromInline var batch: [Item] = []
    @exclusivity(unchecked) @usableFromInline var openEventStreams = 0
    @exclusivity(unchecked) @usableFromInline var liveEffects = 0
    @exclusivity(unchecked) @usableFromInline var isApplying = false
    /// The children that have effects in flight; nil if none ever had, and after the end.
    @exclusivity(unchecked) @usableFromInline var scopes: ScopeTree?
    /// What is being handled just now, if traces are kept.
    @exclusivity(unchecked) @usableFromInline var trace = Trace()

    @inlinable
    init(
        _ initialState: State, _ environment: Environment, _ reducer: Reducer<State, Event, Effect, Environment>,
        _ options: LoopOptions<State, Event, Effect> = LoopOptions(), home: HomeActor?
    ) {
        context = LoopContext(name: options.name)
        instruments = LoopInstruments.make(options, context.counters)
        cancellation = context
        program = Program(initialState, environment, reducer, loop: context)
        self.home = home
        let states = CurrentValueSubject<State, Never>(driven: initialState)
        self.states = states
        inheritSpecialised = { $0.inherit() }
        cancelSpecialised = { $0.leaveCancelled() }
        takeEndSpecialised = { $0.take(.effectsEnded($1)) }
        // A cycle until the end, which every loop comes to: its handle cancels it.
        states.drive { member, step, isForHeir in
            if isForHeir { self.post(.observer(member, step), forHeir: true) } else { self.take(.observer(member, step)) }
        }
        if instruments?.journal != nil { context.open(self) }
        makeInPlaceUpdate()
    }

    /// The stream of states: the current one first, then each change. Only before the loop is bound.
    @inlinable
    func makeStatePublisher() -> AnyPublisher<State, Never> {
        guard let states else { return Empty().eraseToAnyPublisher() }
        return StatePublisher(states: states, cancellation: cancellation).eraseToAnyPublisher()
    }

    // MARK: Beginning and end

    /// Binds feedback: nothing is delivered and no event runs until all streams are subscribed.
    @inlinable
    func bind(
        _ statePublisher: AnyPublisher<State, Never>,
        staysOpenIfEmpty: Bool = false,
        _ feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]
    ) {
        guard mailbox.enter() else { return }
        // Perhaps it was cancelled before it began, by whoever was given the handle.
        guard !cancellation.isCancelled else { return runMail(.own) }
        let streams = feedback(statePublisher)
        // As long as there is one open, the loop does not end by itself.
        openEventStreams = streams.isEmpty && staysOpenIfEmpty ? 1 : streams.count
        for stream in streams {
            let subscriber = EventSubscriber(self)
            if remember(subscriber) { stream.subscribe(subscriber) }
        }
        states?.release()
        runMail(.own)
    }

    /// Binds feedback, and returns what keeps the loop going.
    @inlinable
    func start(_ feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]) -> AnyCancellable {
        bind(makeStatePublisher(), feedback)
        return AnyCancellable(self)
    }

    /// Gives away what keeps the loop going, binds feedback, and returns the stream of states.
    @inlinable
    func start(
        store: (AnyCancellable) -> Void, _ feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]
    ) -> AnyPublisher<State, Never> {
        let states = makeStatePublisher()
        store(AnyCancellable(self))
        bind(states, feedback)
        return states
    }

    /// Ends the loop. Nothing of it runs after this, but for a call that another thread has begun.
    @usableFromInline
    func cancel() {
        if cancellation.cancel() { cancelSpecialised(self) }
    }

    @inlinable
    func leaveCancelled() {
        // What is let go of with them may live on the actor, and then must end there.
        if isHome { cancelSources() }
        post(.cancelled)
    }

    /// Lets go of everything. The owner's to call.
    @inlinable
    func end() {
        guard let program, let states else { return }
        // Who holds the stream of states may still ask it for the last one, unless the loop was cancelled.
        let isNatural = cancellation.finish()
        cancelSources()
        (self.program, scopes) = (nil, nil)
        // What was shown last: an `apply` that has cancelled its loop may have made another.
        tellsOfEnd?(states.lastValue ?? program.state)
        tellsOfEnd = nil
        self.states = nil
        states.finishDriven(isPatient: isNatural)
        instruments?.beginItem()
        record(.ended(isCancelled: !isNatural), cause: nil)
        context.close()
        instruments?.end()
        context.endRefusals(of: Event.self)
    }

    // MARK: Mail

    /// Takes an item, and runs it now if the loop is idle.
    @inlinable
    func take(_ item: Item) {
        guard isHome, mailbox.enter() else {
            post(item)
            return holdUp()
        }
        instruments?.beginRun()
        handle(item)
        if isIdleForGood || !mailbox.leave() { runMail(.own) }
    }

    /// Leaves an item, and runs it if nobody else will.
    ///
    /// - Parameter isForHeir: Whether not even the caller may run it.
    @inlinable
    func post(_ item: Item, forHeir isForHeir: Bool = false) {
        guard mailbox.post(item, forHeir: isForHeir) else { return }
        instruments?.beginRun()
        if isHome { runMail(.own) } else { handOver() }
    }

    /// Holds up who brings more than is handled. At home that is no use: what waits, waits for this very thread.
    @inlinable
    func holdUp() { if home?.isHere != true { mailbox.holdUp() } }

    /// The owner's: leaves the rest to an heir.
    @inlinable
    func handOver() {
        guard let home else { return mailbox.bequeath { self.inheritSpecialised(self) } }
        mailbox.bequeath()
        home.enqueue(self)
    }

    @usableFromInline
    func takeTurn() { inheritSpecialised(self) }

    @inlinable
    func inherit() { runMail(mailbox.inherit()) }

    /// Whether an item with a trace is being handled, or all have one.
    @inlinable @inline(__always)
    var isTracing: Bool { tracedThread.load(ordering: .relaxed) != 0 }

    @inlinable @inline(__always)
    var isHome: Bool { home == nil || home!.isHere }

    /// The owner's: runs what has been left, as far as it is this turn's, and leaves.
    @inlinable
    func runMail(_ turn: Mailbox<Item>.Turn) {
        var turn = turn
        var rounds = 0
        repeat {
            rounds += 1
            if rounds == Runaway.manyRounds { Runaway.warn(of: Event.self, isLimited: instruments?.counts == true) }
            guard mailbox.handleMail(&turn, &batch, isOwn: { isOwn($0) }, { handle($0) }) else { return handOver() }
            // No event can come any more and no effect is live.
            if isIdleForGood, !mailbox.hasMail { end() }
        } while !mailbox.leave(turn)
    }

    /// Whether an item that this thread has left is its own: the event for which it is the mark may have become another's.
    @inlinable
    func isOwn(_ item: Item) -> Bool {
        if case .inboxHasMail = item { instruments?.inbox?.isNextOwn ?? true } else { true }
    }

    @inlinable @inline(__always)
    var lentProgram: Unmanaged<Program>? { program.map { .passUnretained($0) } }

    @inlinable @inline(__always)
    var lentStates: Unmanaged<CurrentValueSubject<State, Never>>? { states.map { .passUnretained($0) } }

    @inlinable @inline(__always)
    var isIdleForGood: Bool { openEventStreams == 0 && liveEffects == 0 }

    @inlinable
    func handle(_ item: Item) {
        switch item {
        case .event(let event): handle(event)
        case .tracedEvent(let event, let trace): handleTraced(event, trace)
        case .effect(let effect, let origin): if !origin.isCancelled { apply(effect, from: origin) }
        case .effectsEnded(let subscriber): forget(subscriber)
        case .eventsEnded: openEventStreams -= 1
        case .observer(let member, let step): member.takeFromDriver(step)
        case .cancelled: end()
        case .drain: beginDraining()
        case .lookForQuiet: lookForQuiet()
        case .inboxHasMail: takeFromInbox()
        case .inboxHasNotes: takeNotesFromInbox()
        case .record(let step, let cause):
            instruments?.beginItem()
            record(step, cause: cause)
        }
    }
}
