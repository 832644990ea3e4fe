import Streams
import Synchronization

/// What a loop lends to what stands in its streams: jobs their register, jobs and rules the journal.
@usableFromInline
final class LoopContext: LoopCancellation, @unchecked Sendable {
    // Sound: all of it is atomic or behind its lock.

    // What few loops need is made when it is first asked for.
    private let lazyJobs = AtomicLazyReference<Jobs>()
    private let lazyReactions = AtomicLazyReference<Reactions>()

    var jobs: Jobs { lazyJobs.load() ?? lazyJobs.storeIfNil(Jobs()) }
    var reactions: Reactions { lazyReactions.load() ?? lazyReactions.storeIfNil(Reactions()) }
    /// What takes notes into the journal; nil if none is kept.
    private let journal = Lock<(any NoteTaker)?>(nil)

    @usableFromInline override init() {}

    /// From now on notes are taken. A cycle until the end of the loop, which every loop comes to.
    @usableFromInline
    func open(_ taker: any NoteTaker) { journal.withLock { $0 = taker } }

    /// The loop has ended.
    @usableFromInline func close() { discard(journal.withLock { $0.take() }) }

    /// Writes into the journal, if one is kept.
    ///
    /// - Returns: The number of the record, if it could be written at once.
    @discardableResult
    func take(_ makeNote: @autoclosure () -> Note, cause: Int?) -> Int? {
        journal.withLock { $0 }?.take(makeNote(), cause: cause)
    }

    /// What the loop does from here on in handling its item is caused by another record.
    ///
    /// - Returns: The number of the record that was the cause; nil if there was none, or this is not the loop's thread.
    @discardableResult
    func replaceCause(_ number: Int?) -> Int? { journal.withLock { $0 }?.replaceCause(number) }
}

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

extension Note {
    /// The note as a step of the journal.
    @usableFromInline
    func step<State, Event, Effect>() -> JournalRecord<State, Event, Effect>.Step {
        switch self {
        case .job(let record): .job(record)
        case .rule(let record): .rule(record)
        }
    }
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
