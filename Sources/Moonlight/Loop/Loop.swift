import Streams
import Synchronization

/// A running loop, as started by `Moonlight.start` or by a ``Store``.
///
/// Everything that happens is an item of one ``Streams/Mailbox``. A thread that finds the mailbox idle becomes its owner: it
/// handles its own item, and the items that follow from it. Any other thread posts its item and returns; a job on a system queue,
/// which belongs to none of the senders, handles those items. State, `transform` and `apply` therefore need no lock, and events
/// that user code sends from inside the loop are queued, not nested.
///
/// A loop with a `home` handles items only on that actor: the job is a task there. `Moonlight.start` documents
/// which loops have one.
@usableFromInline
final class Loop<State: Equatable, Event, Effect, Environment>: Cancellable, AnyLoop, HookedLoop, @unchecked Sendable {
    // Sound: the mailbox has one owner at a time, and only the owner touches the properties marked as the owner's. The rest
    // is immutable, atomic, or behind the lock of `sources`; `keepsLast` is set before any other thread has the loop.

    /// An item of the mailbox.
    @usableFromInline
    enum Item {
        case event(Event, Turn)
        case effect(Effect, from: EffectOrigin)
        /// A mark for an event in the inbox, if the loop has one: the next event is to be handled.
        case inboxHasMail
        case effectsEnded(EffectSubscriber)
        /// A job has ended; its effects precede this item.
        case jobEnded(EffectOrigin)
        /// A step for an observer of the states.
        case observer(SubjectMember<State, Never>)
        case cancelled
        /// Anything else, which happens rarely.
        case work((Loop) -> Void)
    }

    /// The user's reducer and environment, and the current state. Only the owner touches it; released when the loop ends.
    @usableFromInline
    final class Program {
        @exclusivity(unchecked) @usableFromInline var state: State
        @usableFromInline let environment: Environment
        @usableFromInline let decide: Reducer<State, Event, Effect, Environment>.Decide
        @usableFromInline let foldInPlace: Reducer<State, Event, Effect, Environment>.Fold
        /// A property, because creating one for each effect costs too much.
        @exclusivity(unchecked) @usableFromInline var folding = Folding<Event>()

        @inlinable
        init(
            _ state: State, _ environment: Environment, _ reducer: Reducer<State, Event, Effect, Environment>,
            loop: LoopContext
        ) {
            self.state = state
            self.environment = environment
            decide = reducer.bind(loop)
            foldInPlace = reducer.fold
        }
    }

    /// The context through which its store, jobs, reactions and rules reach their loop.
    @usableFromInline let context: LoopContext
    @usableFromInline let mailbox = Mailbox<Item>()
    /// The subscriptions, which are cancelled with the loop; nil once it has ended, so that none can be added.
    @usableFromInline let sources: Lock<Numbered<any Cancellable & AnyObject & Sendable>?>
    /// The optional parts; nil for a plain loop, to which they cost one check.
    @usableFromInline let instruments: LoopInstruments<State, Event, Effect>?
    /// The thread that is handling an event or an effect; 0 if none is.
    @usableFromInline let turnThread = Atomic<UInt>(0)
    /// The actor that the loop is isolated to, because its environment must not leave it; nil if it may run on any thread.
    @usableFromInline let home: (any Actor)?
    /// True if `home` is the main actor, the only one of which a thread can know that it is there; see `IsolatedDelivery`.
    @usableFromInline let isHomeMain: Bool
    /// Accepts an item or, for nil, handles the items that were handed over. Formed where the types are known, so that it stays
    /// specialized when unspecialized code calls it.
    @usableFromInline let specialized: (Loop, Item?) -> Void
    /// Set if the last state is kept when the loop has ended, for a store, whose state can still be read.
    @exclusivity(unchecked) @usableFromInline var keepsLast = false

    // The following is the owner's. `program` and `states` are used unretained while an item is handled: retaining and releasing
    // them would cost a third of an event. Sound, because only the owner ends the loop, and not while it uses them.
    @exclusivity(unchecked) @usableFromInline var isApplying = false
    @exclusivity(unchecked) @usableFromInline var program: Program?
    @exclusivity(unchecked) @usableFromInline var states: DrivenSubject<State>?
    @exclusivity(unchecked) @usableFromInline var batch: [Item] = []
    @exclusivity(unchecked) @usableFromInline var openEventStreams = 0
    @exclusivity(unchecked) @usableFromInline var liveEffects = 0
    /// The children with effects in flight; nil until one has had any, and after the loop has ended.
    @exclusivity(unchecked) @usableFromInline var scopes: ScopeTree?
    /// The turn of the event or effect that is being handled; empty while none is.
    @exclusivity(unchecked) @usableFromInline var turn = Turn()
    /// The stage that the sender of the event being handled waits for, until something outlives the turn: see ``outlivingTurn``.
    @exclusivity(unchecked) @usableFromInline var awaitedStage: SendStage?
    /// The stream or job whose body waits until that event has settled; nil if the sender is something else.
    @exclusivity(unchecked) @usableFromInline var awaitingBody: EffectOrigin?

    @inlinable
    init(
        _ initialState: State, _ environment: Environment, _ reducer: Reducer<State, Event, Effect, Environment>,
        _ options: LoopOptions<State, Event, Effect> = LoopOptions(), home: (any Actor)?
    ) {
        let context = LoopContext(name: options.name, carrying: options.taskLocals)
        self.context = context
        sources = Lock(Numbered())
        instruments = options.isPlain ? nil : LoopInstruments(options, context.counters)
        program = Program(initialState, environment, reducer, loop: context)
        self.home = home
        isHomeMain = home === MainActor.shared
        let states = DrivenSubject(initialState, companion: context) { states, subscriber in
            let context = unsafeDowncast(states.companion, to: LoopContext.self)
            states.attach(StateSubscriber(downstream: subscriber, context: context))
        }
        self.states = states
        specialized = { loop, item in
            if let item { loop.take(item) } else { loop.runMail(within: TimeSlice()) }
        }
        // A retain cycle until the loop ends. Every loop ends: its handle cancels it when released.
        states.drive(by: self) { loop, member, isForOthers in
            let loop = unsafeDowncast(loop, to: Loop.self)
            if isForOthers { loop.post(.observer(member), forHandover: true) } else { loop.take(.observer(member)) }
        }
        if isRecording { context.open(self) }
        options.onBegin?(initialState) { context.journal?.causeHere }
    }

    /// The object that takes part in each step and may hold output back; nil for a loop without a log.
    @inlinable @inline(__always)
    var hook: (any LoopHook<State, Event, Effect>)? { instruments?.options.hook }

    /// Returns the stream of states: the current one first, then each change. Call it before ``bind(_:staysOpenIfEmpty:_:)``.
    @inlinable
    func makeStatePublisher() -> AnyPublisher<State, Never> { states?.publisher ?? .none }

    // MARK: Beginning and end

    /// Binds feedback: subscribes to its streams of events. Nothing is delivered and no event is handled until all streams
    /// are subscribed to.
    ///
    /// - Parameters:
    ///   - statePublisher: The stream of states, from ``makeStatePublisher()``.
    ///   - staysOpenIfEmpty: Whether a loop whose feedback returns no streams continues until it is cancelled.
    ///   - feedback: Returns the streams of events.
    ///   - isBound: Called when all streams are subscribed to, before the first state is sent.
    @inlinable
    func bind(
        _ statePublisher: AnyPublisher<State, Never>,
        staysOpenIfEmpty: Bool = false,
        _ feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        isBound: () -> Void = {}
    ) {
        // The loop may have been cancelled already, through the handle that `start(store:_:)` has passed on, and its items handed
        // over.
        guard mailbox.enter() else { return precondition(context.isCancelled, "a loop handles nothing before it is bound") }
        guard !context.isCancelled else { return runMail() }
        hook?.connect(self)
        let streams = feedback(statePublisher)
        // While one of them is open, the loop does not end by itself.
        openEventStreams += streams.isEmpty && staysOpenIfEmpty ? 1 : streams.count
        for stream in streams {
            let subscriber = EventSubscriber(self)
            if remember(subscriber) != nil { stream.subscribe(subscriber) }
        }
        isBound()
        states?.release()
        runMail()
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

    /// Cancels the loop. No code of it runs afterwards, except a call that another thread has already begun.
    @usableFromInline
    func cancel() {
        guard context.cancel() else { return }
        // The sources may release objects that belong to the home actor. Another thread leaves their cancellation to `end()`, on
        // that actor.
        if isHome { cancelSources() }
        specialized(self, .cancelled)
    }

    /// Ends the loop and releases its contents. Only the owner calls this.
    @inlinable
    func end() {
        guard let program, let states else { return }
        // Unless the loop was cancelled, holders of the stream of states can still get the last state from it.
        let isNatural = context.finish()
        instruments?.beginItem()
        // In a turn, so that the journal, which is closed below, records the jobs that end now.
        begin(Turn())
        cancelSources()
        endTurn()
        if let hook { withUnsafePointer(to: &program.state) { hook.end($0) } }
        self.program = nil
        scopes.take()?.end()
        // The last state that was shown: an `apply` that has cancelled its loop may have changed the state since.
        if keepsLast { context.keep(UncheckedTransfer(states.last ?? program.state)) }
        self.states = nil
        states.finish(isPatient: isNatural)
        record(.ended(isCancelled: !isNatural), cause: nil)
        context.close()
        instruments?.end()
        context.endRefusals(of: Event.self)
        // Last, so that a caller that has waited for the end finds all of it.
        context.endWaits()
    }

    // MARK: For its store

    @usableFromInline var hookOfLoop: AnyObject? { hook }

    @usableFromInline var waitForRoom: (() async -> Bool)? {
        guard let inbox = instruments?.inbox, inbox.suspends else { return nil }
        return inbox.room
    }

    @usableFromInline
    func giveRoomBack() { instruments?.inbox?.giveRoomBack() }

    @usableFromInline var isIdle: Bool { mailbox.isIdle }

    @usableFromInline var isClosed: Bool { context.isOver || mailbox.isClosed }

    @usableFromInline var isQuiet: Bool {
        if context.isOver { return true }
        return streams.isEmpty && hasNothingOnItsWay && isIdle
    }

    @usableFromInline
    func drain() { take(.work { $0.beginDraining() }) }

    @usableFromInline
    func beginAwaiting(in body: EffectOrigin) {
        context.beginAwaiting(in: body)
        if instruments?.options.effectLimit != nil { take(.work { $0.releaseMark() }) }
    }

    @usableFromInline var liveStreams: [(stream: EffectOrigin, work: LiveWork)] { streams.map { ($0, $0.liveWork()) } }

    private var streams: [EffectSubscriber] {
        (sources.withLock { $0 } ?? Numbered()).compactMap { $0 as? EffectSubscriber }
    }

    // MARK: The mailbox and its items

    /// Accepts an item: handles it now if the loop is idle and the caller is on its actor, and otherwise posts it.
    @inlinable
    func take(_ item: Item) {
        if runIfIdle({ handle(item) }) { return }
        post(item)
    }

    /// Runs a closure as the owner, if the loop is idle, and then handles the resulting items.
    ///
    /// - Parameter work: The closure.
    /// - Returns: False, without calling it, if the loop is not idle.
    @inlinable @inline(__always)
    func runIfIdle(_ work: () -> Void) -> Bool {
        guard isHome, mailbox.enter() else { return false }
        instruments?.beginRun()
        work()
        if mayBeQuiet || !mailbox.leave() { runMail() }
        return true
    }

    /// Posts an item. If this makes the caller the mailbox's owner, it handles the items or hands them over.
    ///
    /// - Parameter isForHandover: Passed on if not even the caller may handle the item.
    @inlinable
    func post(_ item: Item, forHandover isForHandover: Bool = false) {
        if mailbox.post(item, forHandover: isForHandover) { runPosted() }
    }

    /// Posts an item, as ``post(_:forHandover:)`` does, unless the mailbox is closed.
    ///
    /// - Returns: Whether it was posted.
    @inlinable
    func postIfOpen(_ item: Item) -> Bool {
        switch mailbox.append(item, ifOpen: true) {
        case .closed: return false
        case .owner: runPosted()
        case .full: yieldThread()
        case .entered, .posted: break
        }
        return true
    }

    /// Handles the posted items or hands them over. Called by a thread that has become the owner by posting.
    @inlinable
    func runPosted() {
        instruments?.beginRun()
        if isHome { runMail() } else { handOver() }
    }

    /// Hands the remaining items over to a system queue or to the home actor. Only the owner calls this.
    @inlinable
    func handOver() {
        guard let home else { return runDetached { self.specialized(self, nil) } }
        // Without the loop's types, which a closure that is isolated to an actor must not capture.
        let loop: any AnyLoop = self
        home.enqueue { loop.inherit() }
    }

    @usableFromInline
    func inherit() { specialized(self, nil) }

    /// True if the caller may run the loop: it has no home actor, or the caller certainly runs on that actor.
    @inlinable @inline(__always)
    var isHome: Bool { home == nil || isHomeMain && MainQueue.isCurrent }

    /// Handles the items that this thread may handle, and leaves the mailbox. Only the owner calls this.
    @inlinable
    func runMail(within slice: TimeSlice? = nil) {
        var slice = slice
        var rounds = 0
        repeat {
            rounds += 1
            if rounds == RunawayReport.manyRounds { RunawayReport.warn(of: Event.self, isLimited: instruments?.steps != nil) }
            guard mailbox.handleMail(within: &slice, &batch, isOwn: { isOwn($0) }, { handle($0) }) else { return handOver() }
            if mayBeQuiet, !mailbox.hasMail { lookForQuiet() }
        } while !mailbox.leave()
    }

    /// Returns whether an item that this thread posted is still its own: the event of a mark of the inbox may by now be another
    /// sender's.
    @inlinable
    func isOwn(_ item: Item) -> Bool {
        if case .inboxHasMail = item { instruments?.inbox?.isNextOwn ?? true } else { true }
    }

    @inlinable @inline(__always)
    var lentProgram: Unmanaged<Program>? { program.map { .passUnretained($0) } }

    @inlinable @inline(__always)
    var lentStates: Unmanaged<DrivenSubject<State>>? { states.map { .passUnretained($0) } }

    /// True if no more events can arrive, and no effect is live.
    @inlinable @inline(__always)
    var isIdleForGood: Bool { openEventStreams == 0 && liveEffects == 0 }

    /// True if the owner must call ``lookForQuiet()`` once the mailbox is empty.
    @inlinable @inline(__always)
    var mayBeQuiet: Bool { isIdleForGood || context.watchesQuiet.load(ordering: .relaxed) }

    @inlinable
    func handle(_ item: Item) {
        switch item {
        case .event(let event, let turn): handle(event, turn)
        case .effect(let effect, let origin): if !origin.isCancelled { apply(effect, from: origin) }
        case .effectsEnded(let subscriber):
            forget(subscriber)
            if let hook { endTurn(of: hook) }
        case .jobEnded(let job): job.leaveRegister()
        case .observer(let member): update(member)
        case .cancelled: end()
        case .inboxHasMail: takeFromInbox()
        case .work(let work): work(self)
        }
    }
}

/// Passes states on until the loop is cancelled. Then no observer receives a state any more, even if others have already received it
/// in the same round.
@usableFromInline
struct StateSubscriber<Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let context: LoopContext

    @inlinable
    init(downstream: Downstream, context: LoopContext) {
        self.downstream = downstream
        self.context = context
    }

    @inlinable
    func receive(_ state: Downstream.Input) -> Subscribers.Demand {
        context.isCancelled ? .none : downstream.receive(state)
    }
}
