import Streams
import Synchronization

/// A running loop, as started by `Moonlight.start` or by a ``Store``.
///
/// Everything that happens is an item of one ``Streams/Mailbox``. A thread that finds the mailbox idle becomes its owner: it
/// handles its own item, and the items that follow from it. Any other thread leaves an item and returns. Items that other
/// threads left are handled by an heir, a job that belongs to none of the senders. State, `transform` and `apply` therefore
/// need no lock, and what user code sends from inside the loop is queued, not nested.
///
/// A loop with a `home` handles items only on that actor, and its heir is a task on that actor. `Moonlight.start` documents
/// which loops have one.
@usableFromInline
final class Loop<State: Equatable, Event, Effect, Environment>: Cancellable, ActorTurn, NoteTaker, QuietLoop,
    @unchecked Sendable
{
    // Sound: the mailbox has one owner at a time, and only the owner touches the properties marked as the owner's. The rest
    // is immutable, atomic, or behind the lock of `sources`.

    /// An item of the mailbox.
    @usableFromInline
    enum Item {
        case event(Event)
        indirect case tracedEvent(Event, Trace)
        case effect(Effect, from: EffectOrigin)
        /// A mark for an event in the inbox, if the loop has one: the next event is to be handled.
        case inboxHasMail
        /// The inbox has something to be written to the journal.
        case inboxHasNotes
        indirect case record(JournalRecord<State, Event, Effect>.Step, cause: Int?)
        case effectsEnded(EffectSubscriber<State, Event, Effect, Environment>)
        case eventsEnded
        /// A step to be taken for an observer of the states.
        case observer(SubjectMember<State, Never>, SubjectCore<State, Never>.MemberStep)
        case cancelled
        /// Events from outside are refused from now on, and the loop ends when nothing is in flight.
        case drain
        /// Check whether nothing is in flight, because somebody waits for that.
        case lookForQuiet
    }

    /// The user's reducer and environment, and the current state. Only the owner touches it; released when the loop ends.
    @usableFromInline
    final class Program {
        @exclusivity(unchecked) @usableFromInline var state: State
        @usableFromInline let environment: Environment
        @usableFromInline let decide: Reducer<State, Event, Effect, Environment>.Decide
        @usableFromInline let foldInPlace: Reducer<State, Event, Effect, Environment>.Part.Fold
        @usableFromInline let mayCommit: Bool
        /// The state before an effect, for the journal. It is a property because a local variable of a large type would be
        /// moved about even where no journal is kept.
        @exclusivity(unchecked) @usableFromInline var before: State?
        /// A property because making one for each effect costs too much.
        @exclusivity(unchecked) @usableFromInline var folding = Folding<Event>()

        @inlinable
        init(
            _ state: State, _ environment: Environment, _ reducer: Reducer<State, Event, Effect, Environment>,
            loop: LoopCancellation
        ) {
            (self.state, self.environment) = (state, environment)
            (decide, foldInPlace, mayCommit) = (reducer.bind(loop), reducer.fold, reducer.commits)
        }

        /// Calls `look` with the states before and after an effect, if the state before was kept.
        @usableFromInline
        func tell(_ look: (State, State) -> Void) {
            if let before { look(before, state) }
            before = nil
        }
    }

    @usableFromInline let mailbox = Mailbox<Item>()
    @usableFromInline let cancellation: LoopCancellation
    @usableFromInline let sources = Lock(LoopSources())
    /// The context through which jobs, reactions and rules reach their loop.
    @usableFromInline let context: LoopContext
    /// The optional parts; nil for a plain loop, to which they cost one check.
    @usableFromInline let instruments: LoopInstruments<State, Event, Effect>?
    /// Called once with the last state, when the loop ends.
    @exclusivity(unchecked) @usableFromInline var tellsOfEnd: ((State) -> Void)?
    /// The thread that is handling an item with a trace; 0 if none is.
    ///
    /// A loop that is being drained keeps traces of all items: there, it is 1 while no item is handled.
    @usableFromInline let tracedThread = Atomic<UInt>(0)
    /// The actor that the loop is isolated to; nil if it may run on any thread.
    @usableFromInline let home: HomeActor?
    /// Handles the mail as an heir. Formed where the types are known, so that it stays specialized when unspecialized code
    /// calls it.
    @usableFromInline let inheritSpecialised: (Loop) -> Void
    /// Posts the cancellation of the loop. Formed where the types are known, too.
    @usableFromInline let cancelSpecialised: (Loop) -> Void
    /// Takes the end of a stream of effects. Formed where the types are known, too.
    @usableFromInline let takeEndSpecialised: (Loop, EffectSubscriber<State, Event, Effect, Environment>) -> Void

    // From here on, the owner's. `program` and `states` are used unretained while an item is handled: to retain and release
    // them costs a third of an event. Sound, because only the owner ends the loop, and not while it uses them.
    @exclusivity(unchecked) @usableFromInline var program: Program?
    @exclusivity(unchecked) @usableFromInline var states: CurrentValueSubject<State, Never>?
    @exclusivity(unchecked) @usableFromInline var batch: [Item] = []
    @exclusivity(unchecked) @usableFromInline var openEventStreams = 0
    @exclusivity(unchecked) @usableFromInline var liveEffects = 0
    @exclusivity(unchecked) @usableFromInline var isApplying = false
    /// The children that have effects in flight; nil until one has had any, and after the loop has ended.
    @exclusivity(unchecked) @usableFromInline var scopes: ScopeTree?
    /// The trace of the item that is being handled, if traces are kept.
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
        // A retain cycle until the loop ends. Every loop ends: its handle cancels it when released.
        states.drive { member, step, isForHeir in
            if isForHeir { self.post(.observer(member, step), forHeir: true) } else { self.take(.observer(member, step)) }
        }
        if instruments?.journal != nil { context.open(self) }
        makeInPlaceUpdate()
    }

    /// Returns the stream of states: the current one first, then each change. Call it before ``bind(_:staysOpenIfEmpty:_:)``.
    @inlinable
    func makeStatePublisher() -> AnyPublisher<State, Never> {
        guard let states else { return Empty().eraseToAnyPublisher() }
        return StatePublisher(states: states, cancellation: cancellation).eraseToAnyPublisher()
    }

    // MARK: Beginning and end

    /// Binds feedback: subscribes to its streams of events. Nothing is delivered and no event is handled until all streams
    /// are subscribed to.
    ///
    /// - Parameters:
    ///   - statePublisher: The stream of states, from ``makeStatePublisher()``.
    ///   - staysOpenIfEmpty: Whether a loop whose feedback returns no streams goes on until it is cancelled.
    ///   - feedback: Returns the streams of events.
    @inlinable
    func bind(
        _ statePublisher: AnyPublisher<State, Never>,
        staysOpenIfEmpty: Bool = false,
        _ feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]
    ) {
        guard mailbox.enter() else { return }
        // The loop may have been cancelled already, through the handle that `start(store:_:)` gives away.
        guard !cancellation.isCancelled else { return runMail(.own) }
        let streams = feedback(statePublisher)
        // As long as one of them is open, the loop does not end by itself.
        openEventStreams = streams.isEmpty && staysOpenIfEmpty ? 1 : streams.count
        for stream in streams {
            let subscriber = EventSubscriber(self)
            if remember(subscriber) { stream.subscribe(subscriber) }
        }
        states?.release()
        runMail(.own)
    }

    /// Binds feedback, and returns the handle that keeps the loop running.
    @inlinable
    func start(_ feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]) -> AnyCancellable {
        bind(makeStatePublisher(), feedback)
        return AnyCancellable(self)
    }

    /// Passes the handle that keeps the loop running to `store`, binds feedback, and returns the stream of states.
    @inlinable
    func start(
        store: (AnyCancellable) -> Void, _ feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]
    ) -> AnyPublisher<State, Never> {
        let states = makeStatePublisher()
        store(AnyCancellable(self))
        bind(states, feedback)
        return states
    }

    /// Cancels the loop. Nothing of it runs afterwards, except a call that another thread has already begun.
    @usableFromInline
    func cancel() {
        if cancellation.cancel() { cancelSpecialised(self) }
    }

    @inlinable
    func leaveCancelled() {
        // The sources may release objects that belong to the home actor. From elsewhere, they are cancelled in `end()`, on
        // that actor.
        if isHome { cancelSources() }
        post(.cancelled)
    }

    /// Ends the loop and releases what it holds. Only the owner calls this.
    @inlinable
    func end() {
        guard let program, let states else { return }
        // Unless the loop was cancelled, holders of the stream of states can still get the last state from it.
        let isNatural = cancellation.finish()
        cancelSources()
        (self.program, scopes) = (nil, nil)
        // The state that was shown last: an `apply` that has cancelled its loop may have made another one since.
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

    /// Takes an item: handles it now if the loop is idle and the caller is at home, otherwise posts it.
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

    /// Posts an item. If this makes the caller the mailbox's owner, it handles the mail or hands it over to an heir.
    ///
    /// - Parameter isForHeir: Whether not even the caller may handle the item.
    @inlinable
    func post(_ item: Item, forHeir isForHeir: Bool = false) {
        guard mailbox.post(item, forHeir: isForHeir) else { return }
        instruments?.beginRun()
        if isHome { runMail(.own) } else { handOver() }
    }

    /// Slows down a sender that posts faster than items are handled (back-pressure). Useless at home, where the items wait
    /// for this very thread.
    @inlinable
    func holdUp() { if home?.isHere != true { mailbox.holdUp() } }

    /// Leaves the remaining mail to an heir. Only the owner calls this.
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

    /// Handles the mail that this turn may handle, and leaves the mailbox. Only the owner calls this.
    @inlinable
    func runMail(_ turn: Mailbox<Item>.Turn) {
        var turn = turn
        var rounds = 0
        repeat {
            rounds += 1
            if rounds == Runaway.manyRounds { Runaway.warn(of: Event.self, isLimited: instruments?.counts == true) }
            guard mailbox.handleMail(&turn, &batch, isOwn: { isOwn($0) }, { handle($0) }) else { return handOver() }
            // No event can arrive any more, and no effect is live.
            if isIdleForGood, !mailbox.hasMail { end() }
        } while !mailbox.leave(turn)
    }

    /// Returns whether an item that this thread posted is still its own: the event behind a mark of the inbox may by now be
    /// another thread's.
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
