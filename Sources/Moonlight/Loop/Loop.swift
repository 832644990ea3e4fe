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
final class Loop<State: Equatable, Event, Effect, Environment>: ErasedLoop<State, Event>, ActorTurn, GatedLoop, NoteTaker,
    QuietLoop, @unchecked Sendable
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
        /// A job has ended, whose effects have come before this.
        case jobEnded(EffectOrigin)
        /// A job has been ended from elsewhere, and is to release what it holds.
        case jobToEnd(EffectOrigin)
        case eventsEnded
        /// A step to be taken for an observer of the states.
        case observer(SubjectMember<State, Never>, SubjectCore<State, Never>.MemberStep)
        case cancelled
        /// Events from outside are refused from now on, and the loop ends when nothing is in flight.
        case drain
        /// Check whether nothing is in flight, because somebody waits for that.
        case lookForQuiet
        /// The gate may have released something.
        case gate
        /// A mark for an event that waits for streams behind the gate: the first of these is to be handled.
        case postponed
    }

    /// What code that is not specialized has done.
    @usableFromInline
    enum Chore {
        /// Handle the mail as an heir.
        case inherit
        /// Post the cancellation.
        case leaveCancelled
        /// Take the end of a stream of effects.
        case takeEnd(EffectSubscriber<State, Event, Effect, Environment>)
        /// Take the end of a job.
        case letLeave(EffectOrigin)
        /// End a job where the loop is at home.
        case endJob(EffectOrigin)
    }

    /// The user's reducer and environment, and the current state. Only the owner touches it; released when the loop ends.
    @usableFromInline
    final class Program {
        @exclusivity(unchecked) @usableFromInline var state: State
        @usableFromInline let environment: Environment
        @usableFromInline let decide: Reducer<State, Event, Effect, Environment>.Decide
        @usableFromInline let foldInPlace: Reducer<State, Event, Effect, Environment>.Part.Fold
        /// A property because making one for each effect costs too much.
        @exclusivity(unchecked) @usableFromInline var folding = Folding<Event>()

        @inlinable
        init(
            _ state: State, _ environment: Environment, _ reducer: Reducer<State, Event, Effect, Environment>,
            loop: LoopCancellation
        ) {
            self.state = state
            self.environment = environment
            (decide, foldInPlace) = (reducer.bind(loop), reducer.fold)
        }
    }

    // A flag of the owner's, here because it shares a word with the flag of the superclass.
    @exclusivity(unchecked) @usableFromInline var isApplying = false
    @usableFromInline let mailbox = Mailbox<Item>()
    @usableFromInline let sources = Lock(LoopSources())
    /// The optional parts; nil for a plain loop, to which they cost one check.
    @usableFromInline let instruments: LoopInstruments<State, Event, Effect>?
    /// What may have to hold back what it tells; nil for a loop without a log. A loop that has one keeps traces of all items.
    @usableFromInline let gate: OutputGate<State, Event, Effect>?
    /// The thread that is handling an item with a trace; 0 if none is.
    ///
    /// A loop that has a gate or is being drained keeps traces of all items: there, it is 1 while no item is handled.
    @usableFromInline let tracedThread = Atomic<UInt>(0)
    /// The actor that the loop is isolated to; nil if it may run on any thread.
    @usableFromInline let home: HomeActor?
    /// Does a chore. Formed where the types are known, so that it stays specialized when unspecialized code calls it.
    @usableFromInline let performChore: (Loop, Chore) -> Void

    // From here on, the owner's. `program` and `states` are used unretained while an item is handled: to retain and release
    // them costs a third of an event. Sound, because only the owner ends the loop, and not while it uses them.
    @exclusivity(unchecked) @usableFromInline var program: Program?
    @exclusivity(unchecked) @usableFromInline var states: DrivenSubject<State>?
    @exclusivity(unchecked) @usableFromInline var batch: [Item] = []
    @exclusivity(unchecked) @usableFromInline var openEventStreams = 0
    @exclusivity(unchecked) @usableFromInline var liveEffects = 0
    /// The children that have effects in flight; nil until one has had any, and after the loop has ended.
    @exclusivity(unchecked) @usableFromInline var scopes: ScopeTree?
    /// The trace of the item that is being handled, if traces are kept.
    @exclusivity(unchecked) @usableFromInline var trace = Trace()

    @inlinable
    init(
        _ initialState: State, _ environment: Environment, _ reducer: Reducer<State, Event, Effect, Environment>,
        _ options: LoopOptions<State, Event, Effect> = LoopOptions(), home: HomeActor?
    ) {
        let context = LoopContext(name: options.name, carrying: options.carrying)
        instruments = LoopInstruments.make(options, context.counters)
        gate = options.gate
        program = Program(initialState, environment, reducer, loop: context)
        self.home = home
        let states = DrivenSubject(initialState, of: context)
        self.states = states
        performChore = { loop, chore in
            switch chore {
            case .inherit: loop.inherit()
            case .leaveCancelled: loop.leaveCancelled()
            case .takeEnd(let effects): loop.take(.effectsEnded(effects))
            case .letLeave(let job): loop.take(.jobEnded(job))
            case .endJob(let job): loop.take(.jobToEnd(job))
            }
        }
        super.init(
            context, send: { unsafeDowncast($0, to: Loop.self).send($1) },
            handleAwaited: { unsafeDowncast($0, to: Loop.self).handleAwaited($1, until: $2, reading: $3) })
        // A retain cycle until the loop ends. Every loop ends: its handle cancels it when released.
        states.drive(by: self) { loop, member, step, isForHeir in
            let loop = unsafeDowncast(loop, to: Loop.self)
            if isForHeir { loop.post(.observer(member, step), forHeir: true) } else { loop.take(.observer(member, step)) }
        }
        if isRecording { context.open(self) }
        if gate != nil { connectGate() }
        options.onBegin?(initialState) { context.causeHere }
    }

    /// Returns the stream of states: the current one first, then each change. Call it before ``bind(_:staysOpenIfEmpty:_:)``.
    @inlinable
    func makeStatePublisher() -> AnyPublisher<State, Never> { states?.publisher ?? Empty().eraseToAnyPublisher() }

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
        queueLeftOver()
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
    @inlinable @inline(never)
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
    override func cancel() {
        if cancellation.cancel() { performChore(self, .leaveCancelled) }
    }

    @inlinable
    func leaveCancelled() {
        // The sources may release objects that belong to the home actor. From elsewhere, they are cancelled in `end()`, on
        // that actor.
        if isHome { cancelSources() }
        if !runIfIdle({ end() }) { post(.cancelled) }
    }

    /// Ends the loop and releases what it holds. Only the owner calls this.
    @inlinable
    func end() {
        guard let program, let states else { return }
        // Unless the loop was cancelled, holders of the stream of states can still get the last state from it.
        let isNatural = cancellation.finish()
        cancelSources()
        if let gate { withUnsafePointer(to: &program.state) { gate.close($0) } }
        self.program = nil
        scopes = nil
        // The state that was shown last: an `apply` that has cancelled its loop may have made another one since.
        if keepsLast { end(states.last ?? program.state) }
        self.states = nil
        states.finish(isPatient: isNatural)
        instruments?.beginItem()
        record(.ended(isCancelled: !isNatural), cause: nil)
        context.close()
        instruments?.end()
        context.endRefusals(of: Event.self)
    }

    // MARK: For its store

    /// Takes an event whose sender awaits its outcome.
    ///
    /// - Parameters:
    ///   - asker: The settlement that reports the outcome to the sender.
    ///   - hasRoom: Whether the sender has waited for room in the inbox, which is reserved for this event.
    /// - Returns: Whether it was taken; if not, the inbox is full.
    override func send(_ event: Event, awaitedBy asker: Settlement, hasRoom: Bool) -> Bool {
        takeTraced(event, from: hasRoom ? .hasRoom : .outside, awaitedBy: asker)
    }

    /// The log of what it does, if it has one.
    override var log: AnyObject? { gate?.log }

    /// Waits for room in the inbox; nil if the inbox does not suspend senders.
    override var waitForRoom: (() async -> Bool)? {
        guard let inbox = instruments?.inbox, inbox.suspends else { return nil }
        return inbox.room
    }

    /// What ``isHandledHere`` is. Apart from it, so that the loop itself can inline that.
    override var isHandling: Bool { isHandledHere }

    /// Whether no item is being handled at this moment, and none waits. Safe from any thread; false from inside a running loop.
    override var isIdle: Bool { mailbox.isIdle }

    /// Whether nothing is in flight at this moment and no item waits. Safe from any thread; false from inside a running loop.
    override var isQuiet: Bool {
        if cancellation.isOver { return true }
        return streams.isEmpty && hasNothingOnItsWay && isIdle
    }

    /// Calls `tell` when nothing is in flight; at once if the loop has ended. Returns the number by which the caller leaves the
    /// ``QuietWatch``.
    override func whenQuiet(_ tell: @escaping @Sendable () -> Void) -> Int {
        context.watchesQuiet.store(true, ordering: .releasing)
        return context.service(QuietWatch.self).wait(for: self, tell)
    }

    /// Refuses events from outside from now on, and ends the loop when nothing is in flight.
    override func drain() { take(.drain) }

    /// Notes that an effect awaits an event of this loop, until ``LoopContext/endAwaiting()``. The effect no longer counts,
    /// so another event may now be handled.
    override func beginAwaiting() {
        context.awaitingEffects.wrappingAdd(1, ordering: .releasing)
        if instruments?.effectLimit != nil { take(.inboxHasMail) }
    }

    /// Returns the live streams of effects, each with its description. Safe from any thread.
    override func liveStreams() -> [(stream: EffectOrigin, info: LiveWork)] {
        streams.map { ($0, $0.info()) }
    }

    private var streams: [EffectSubscriber<State, Event, Effect, Environment>] {
        (sources.withLock { $0.members } ?? []).compactMap { $0 as? EffectSubscriber<State, Event, Effect, Environment> }
    }
}
