import Streams
import Synchronization

/// The part of a loop that its store, jobs and services share: its phase, the objects of services, and the journal.
///
/// A loop that has ended by itself can no longer be cancelled: its observers may still request the last state.
@usableFromInline
final class LoopContext: @unchecked Sendable {
    // Sound: everything is immutable, atomic, or behind a lock.

    /// The phases of a loop.
    @usableFromInline
    enum Phase {
        @inlinable static var running: UInt8 { 0 }
        /// The loop completes the work in flight, and then ends.
        @inlinable static var draining: UInt8 { 1 }
        @inlinable static var cancelled: UInt8 { 2 }
        static var ended: UInt8 { 3 }
    }

    struct Attached: Sendable {
        var services: [any LoopService] = []
        /// The loop, if it keeps a journal; nil otherwise.
        var journal: (any AnyLoop)?
        /// The loop, once a caller waits for quiet.
        weak var watched: (any AnyLoop)?

        func service<Service: LoopService>(_: Service.Type) -> Service? {
            for service in services where type(of: service) == Service.self { return unsafeDowncast(service, to: Service.self) }
            return nil
        }
    }

    // The small properties come first, so that they share a word.
    @usableFromInline let phase = Atomic<UInt8>(Phase.running)
    /// Set if a caller waits until nothing is in flight.
    @usableFromInline let watchesQuiet = Atomic<Bool>(false)
    /// The number of ``Transit`` objects that exist.
    let transits = Atomic<Int32>(0)
    /// The number of live effects that are awaiting an event of their own loop.
    @usableFromInline let awaitingEffects = Atomic<Int32>(0)
    let attached = Lock(Attached())
    let waiters = Lock(LoopWaiters())
    /// The loop's counters, if it has a name.
    @usableFromInline let counters: LoopCounters?
    /// The number of the counters in the registry of stores.
    private let registration: Int?
    /// The task-locals that are carried with events.
    @usableFromInline let carrying: [CarriedLocal]

    @usableFromInline
    init(name: String?, carrying: [CarriedLocal] = []) {
        self.carrying = carrying
        counters = name.map { LoopCounters(name: $0) }
        registration = counters.map { StoreRegistry.shared.add($0) }
    }

    // MARK: The phase

    @inlinable @inline(__always)
    var isCancelled: Bool { phase.load(ordering: .relaxed) == Phase.cancelled }

    /// True while events from outside are accepted.
    @inlinable @inline(__always)
    var isRunning: Bool { phase.load(ordering: .relaxed) == Phase.running }

    @inlinable @inline(__always)
    var isDraining: Bool { phase.load(ordering: .relaxed) == Phase.draining }

    /// True once the loop has ended, naturally or by cancellation.
    var isOver: Bool { phase.load(ordering: .relaxed) >= Phase.cancelled }

    /// Begins draining: from now on, the loop only completes work that it has begun.
    ///
    /// - Returns: Whether this call began it; false if the loop was already being drained, or has ended.
    func beginDraining() -> Bool { leave(Phase.running, for: Phase.draining) }

    /// Cancels the loop.
    ///
    /// - Returns: Whether this call did; false if the loop was cancelled or had ended before.
    func cancel() -> Bool { leaveRunning(for: Phase.cancelled) }

    /// Marks the natural end of the loop.
    ///
    /// - Returns: Whether this call did; false if the loop was cancelled or had ended before.
    @usableFromInline
    func finish() -> Bool { leaveRunning(for: Phase.ended) }

    private func leaveRunning(for next: UInt8) -> Bool { leave(Phase.running, for: next) || leave(Phase.draining, for: next) }

    private func leave(_ before: UInt8, for next: UInt8) -> Bool {
        phase.compareExchange(expected: before, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    // MARK: Services and the journal

    /// Captures the caller's values of the carried task-locals; nil if none are carried.
    @inlinable
    func captureContext() -> CarriedContext? { carrying.isEmpty ? nil : CarriedContext(carrying) }

    /// Returns the loop's only object of a service; it is made on first use.
    func service<Service: LoopService>(_: Service.Type) -> Service {
        attached.withLock { attached in
            if let service = attached.service(Service.self) { return service }
            let service = Service()
            attached.services.append(service)
            return service
        }
    }

    /// Returns the loop's object of a service; nil if it has not been used.
    func existing<Service: LoopService>(_: Service.Type) -> Service? { attached.withLock { $0.service(Service.self) } }

    /// Enables notes in the journal. This is a retain cycle until the loop ends; every loop ends.
    @usableFromInline
    func open(_ loop: any AnyLoop) { attached.withLock { $0.journal = loop } }

    /// Closes the journal, and ends the counters: the loop has ended.
    @usableFromInline
    func close() {
        discard(attached.withLock { $0.journal.take() })
        counters?.end()
        if let registration { StoreRegistry.shared.remove(registration) }
    }

    /// The stream or job of this loop whose `run` body is calling; nil if the caller is something else.
    @usableFromInline var runningBody: EffectOrigin? {
        guard let origin = RunningBody.currentOrigin as? EffectOrigin, origin.context === self else { return nil }
        return origin
    }

    /// Records that a body begins to await an event. Its stream counts once, however many of its bodies await one.
    func beginAwaiting(in body: EffectOrigin) {
        if body.root.awaitingBodies.wrappingAdd(1, ordering: .relaxed).oldValue == 0 {
            awaitingEffects.wrappingAdd(1, ordering: .releasing)
        }
    }

    /// Records that a body no longer awaits an event.
    @usableFromInline
    func endAwaiting(in body: EffectOrigin) {
        if body.root.awaitingBodies.wrappingSubtract(1, ordering: .relaxed).newValue == 0 {
            awaitingEffects.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    /// The loop, if it keeps a journal and has not ended.
    @usableFromInline var journal: (any AnyLoop)? { attached.withLock { $0.journal } }
}

/// The interface of a loop to its store, independent of the types of events, effects and environment.
@usableFromInline
protocol AnyLoop: AnyObject, Sendable {
    /// Checks, in a turn of the loop, whether anything is in flight.
    func look()

    /// Cancels the loop. No code of the loop runs afterwards, except a call that another thread has begun.
    func cancel()

    /// Handles the items that the previous owner of the mailbox has handed over.
    func inherit()

    /// Refuses events from outside from now on, and ends the loop when nothing is in flight.
    func drain()

    /// True while this thread handles an item of the loop.
    var isHandledHere: Bool { get }

    /// True if no item is being handled, and none waits; false from inside a running loop.
    var isIdle: Bool { get }

    /// True if it takes no more events, because it has ended or is ending by itself.
    var isClosed: Bool { get }

    /// True if nothing is in flight, and ``isIdle``.
    var isQuiet: Bool { get }

    /// The streams of effects that are live, each with its description. Safe from any thread.
    var liveStreams: [(stream: EffectOrigin, work: LiveWork)] { get }

    /// Waits for room in the inbox; nil if the inbox does not suspend senders.
    var waitForRoom: (() async -> Bool)? { get }

    /// Releases the room for which a sender has waited, because its event is refused.
    func giveRoomBack()

    /// Records that a body awaits an event of this loop, until ``LoopContext/endAwaiting(in:)``. Its stream then does not count as
    /// live, so another event may be handled.
    func beginAwaiting(in body: EffectOrigin)

    // MARK: The journal

    /// Writes a note into the journal, if one is kept.
    ///
    /// - Parameters:
    ///   - note: The note.
    ///   - cause: The number of the record that caused it; if nil, that of the item being handled, if the caller is inside the
    ///     loop.
    /// - Returns: The number of the record, if it could be written at once.
    @discardableResult
    func take(_ note: Note, cause: Int?) -> Int?

    /// Sets the cause of the following work of the loop, while it handles its current item; does nothing on another thread.
    func setCause(_ number: Int?)

    /// The number of the record that causes the current work of the calling thread; nil if that thread is not handling an item of
    /// the loop, or no journal is kept.
    var causeHere: Int? { get }

    /// The hook of the loop, if it has one.
    var hookOfLoop: AnyObject? { get }
}

/// An object that a service keeps for one loop, such as the jobs or the reactions in flight.
protocol LoopService: AnyObject, Sendable { init() }

/// A record in the journal from outside the loop's own code.
@usableFromInline
enum Note: Sendable {
    case job(JobRecord)
    case rule(RuleRecord)
}

extension Note {
    /// True if it records the end of a job of a cancelled loop.
    var isOfTheEnd: Bool { if case .job(let job) = self { job.step == .cancelled } else { false } }

    /// Returns the note as a step of the journal.
    func step<State, Event, Effect>() -> JournalRecord<State, Event, Effect>.Step {
        switch self {
        case .job(let record): .job(record)
        case .rule(let record): .rule(record)
        }
    }
}

/// A mark of a value that passes through operators and may lead to an event of a loop: a value of a reaction, or a state that
/// feedback receives.
///
/// An operator that delays the value, such as one with a busy ``Streams/Mailbox``, retains this mark with it
/// (``Streams/WorkContext/origin``), so that the loop does not count as quiet before the value has arrived.
@usableFromInline
class Transit: @unchecked Sendable {
    // Sound: immutable. Subclasses must justify their additions.
    final let context: LoopContext

    @usableFromInline
    init(_ context: LoopContext) {
        self.context = context
        context.transits.wrappingAdd(1, ordering: .relaxed)
    }

    deinit {
        context.transits.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        context.lookForQuiet()
    }
}
