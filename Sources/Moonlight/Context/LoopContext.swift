import Streams
import Synchronization

/// What a loop provides to the services around it, which depend on nothing else of it: whether it has ended, a place for
/// their objects, and the journal.
@usableFromInline
final class LoopContext: LoopCancellation, @unchecked Sendable {
    // Sound: everything is immutable, atomic, or behind a lock.

    private struct Attached: Sendable {
        var services: [any LoopService] = []
        /// Takes notes for the journal; nil if none is kept.
        var journal: (any NoteTaker)?
    }

    // The small properties come first, as they then share the word of the flag of the superclass.
    /// Whether anybody waits until nothing is in flight.
    @usableFromInline let watchesQuiet = Atomic<Bool>(false)
    /// Whether a check for quiet is queued in the loop, so that no other is queued: each would find the other in the mailbox
    /// and wait for it.
    @usableFromInline let isLookQueued = Atomic<Bool>(false)
    /// Whether anybody observes refusals.
    @usableFromInline let watchesRefusals = Atomic<Bool>(false)
    /// The number of ``Transit`` objects that exist.
    let transits = Atomic<Int32>(0)
    /// The number of live effects that are awaiting an event of their own loop.
    @usableFromInline let awaitingEffects = Atomic<Int32>(0)
    private let attached = Lock(Attached())
    let waiters = Lock(LoopWaiters.running([:]))
    /// The loop's counters, if it has a name.
    @usableFromInline let counters: LoopCounters?
    /// The task-locals that are carried with events.
    @usableFromInline let carrying: [CarriedLocal]

    @usableFromInline
    init(name: String?, carrying: [CarriedLocal] = []) {
        self.carrying = carrying
        counters = name.map { LoopCounters(name: $0) }
        super.init()
        if let counters { StoreRegistry.shared.add(counters) }
    }

    /// Captures the caller's values of the carried task-locals; nil if none are carried.
    @inlinable
    func captureContext() -> CarriedContext? { carrying.isEmpty ? nil : CarriedContext(carrying) }

    /// Returns the loop's only object of a service; it is made on first use.
    func service<Service: LoopService>(_: Service.Type) -> Service {
        attached.withLock { attached in
            for service in attached.services where type(of: service) == Service.self {
                return unsafeDowncast(service, to: Service.self)
            }
            let service = Service()
            attached.services.append(service)
            return service
        }
    }

    /// Opens the journal to notes. This is a retain cycle until the loop ends; every loop ends.
    @usableFromInline
    func open(_ taker: any NoteTaker) { attached.withLock { $0.journal = taker } }

    /// Closes the journal, and ends the counters and all waits for quiet: the loop has ended.
    @usableFromInline
    func close() {
        discard(attached.withLock { $0.journal.take() })
        if let counters {
            counters.end()
            StoreRegistry.shared.remove(counters)
        }
        if watchesQuiet.load(ordering: .acquiring) { service(QuietWatch.self).end() }
    }

    /// The stream or job of this loop whose `run` body is calling; nil if the caller is something else.
    @usableFromInline var runningBody: EffectOrigin? {
        guard let origin = RunningBody.currentOrigin as? EffectOrigin, origin.context === self else { return nil }
        return origin
    }

    /// Notes that an effect no longer awaits an event.
    @usableFromInline
    func endAwaiting() { awaitingEffects.wrappingSubtract(1, ordering: .relaxed) }

    /// Writes a note into the journal, if one is kept.
    ///
    /// - Parameters:
    ///   - makeNote: The note. Only evaluated if a journal is kept.
    ///   - cause: The number of the record that caused it; if nil, that of the item being handled, if the caller is inside
    ///     the loop.
    /// - Returns: The number of the record, if it could be written at once.
    @usableFromInline @discardableResult
    func take(_ makeNote: @autoclosure () -> Note, cause: Int?) -> Int? {
        journal?.take(makeNote(), cause: cause)
    }

    /// Replaces the cause of what the loop does from here on, while it handles its current item.
    ///
    /// - Returns: The number of the record that was the cause; nil if there was none, or the caller is not on the loop's
    ///   thread.
    @discardableResult
    func replaceCause(_ number: Int?) -> Int? { journal?.replaceCause(number) }

    /// The number of the record that causes what the calling thread does now; nil if that thread is not handling an item of the
    /// loop, or no journal is kept.
    @usableFromInline var causeHere: Int? { journal?.causeHere }

    private var journal: (any NoteTaker)? { attached.withLock { $0.journal } }
}

/// An object that a service keeps for one loop, such as the jobs or the reactions in flight.
protocol LoopService: AnyObject, Sendable { init() }

/// A loop, as the object that takes notes for its journal.
@usableFromInline
protocol NoteTaker: AnyObject, Sendable {
    func take(_ note: Note, cause: Int?) -> Int?
    func replaceCause(_ number: Int?) -> Int?
    var causeHere: Int? { get }
}

/// A record in the journal that something other than the loop itself has made.
@usableFromInline
enum Note: Sendable {
    case job(JobRecord)
    case rule(RuleRecord)
}

/// An object that belongs to a loop and has its context.
@usableFromInline
protocol LoopMember: RunOrigin {
    var context: LoopContext? { get }
    /// The path of the child that the object belongs to.
    var path: ScopePath { get }
}

extension LoopMember {
    @usableFromInline var path: ScopePath { .root }
    @usableFromInline package var wantsNoMore: Bool { context?.isCancelled ?? false }
    @usableFromInline package func bind(_ work: () -> Void) { work() }
}
