import Streams
import Synchronization

/// What a loop lends to the services around it, all they know of it: whether it is over, a place for what they keep, and the
/// journal.
@usableFromInline
final class LoopContext: LoopCancellation, @unchecked Sendable {
    // Sound: all of it is atomic or behind its lock.

    private let services = Lock<[any LoopService]>([])
    /// What takes notes into the journal; nil if none is kept.
    private let journal = Lock<(any NoteTaker)?>(nil)

    /// How many there are of ``Transit``.
    let transits = Atomic<Int>(0)
    /// Whether somebody waits until nothing is in flight.
    @usableFromInline let watchesQuiet = Atomic<Bool>(false)
    /// Whether the loop is going to look, so that it need not be asked again: of two looks each would wait for the other.
    @usableFromInline let isLookQueued = Atomic<Bool>(false)
    /// Whether somebody is told of refusals.
    @usableFromInline let watchesRefusals = Atomic<Bool>(false)

    /// How many live effects await an event of their own loop just now.
    @usableFromInline let awaitingEffects = Atomic<Int>(0)
    /// What is counted, if the loop has a name.
    @usableFromInline let counters: LoopCounters?

    @usableFromInline
    init(name: String?) {
        counters = name.map { LoopCounters(name: $0) }
        super.init()
        if let counters { StoreRegistry.shared.add(counters) }
    }

    /// What the loop has one of, made when it is first asked for.
    func service<Service: LoopService>(_: Service.Type) -> Service {
        services.withLock { services in
            for service in services where type(of: service) == Service.self {
                return unsafeDowncast(service, to: Service.self)
            }
            let service = Service()
            services.append(service)
            return service
        }
    }

    /// From now on notes are taken. A cycle until the end of the loop, which every loop comes to.
    @usableFromInline
    func open(_ taker: any NoteTaker) { journal.withLock { $0 = taker } }

    /// The loop has ended.
    @usableFromInline
    func close() {
        discard(journal.withLock { $0.take() })
        if let counters {
            counters.end()
            StoreRegistry.shared.remove(counters)
        }
        if watchesQuiet.load(ordering: .acquiring) { service(QuietWatch.self).end() }
    }

    /// An effect awaits its event no longer.
    func endAwaiting() { awaitingEffects.wrappingSubtract(1, ordering: .relaxed) }

    /// Writes into the journal, if one is kept.
    ///
    /// - Returns: The number of the record, if it could be written at once.
    @usableFromInline @discardableResult
    func take(_ makeNote: @autoclosure () -> Note, cause: Int?) -> Int? {
        journal.withLock { $0 }?.take(makeNote(), cause: cause)
    }

    /// What the loop does from here on in handling its item is caused by another record.
    ///
    /// - Returns: The number of the record that was the cause; nil if there was none, or this is not the loop's thread.
    @discardableResult
    func replaceCause(_ number: Int?) -> Int? { journal.withLock { $0 }?.replaceCause(number) }
}

/// What a service keeps for one loop: the jobs that are in flight, the reactions.
protocol LoopService: AnyObject, Sendable { init() }

/// A loop, as what takes notes into its journal.
@usableFromInline
protocol NoteTaker: AnyObject, Sendable {
    func take(_ note: Note, cause: Int?) -> Int?
    func replaceCause(_ number: Int?) -> Int?
}

/// What is written into the journal by others than the loop itself.
@usableFromInline
enum Note: Sendable {
    case job(JobRecord)
    case rule(RuleRecord)
}

/// What belongs to a loop and knows what it lends.
@usableFromInline
protocol LoopMember: AnyObject {
    var context: LoopContext? { get }
    /// The child that it is of.
    var path: ScopePath { get }
}

extension LoopMember {
    @usableFromInline var path: ScopePath { .root }
}
