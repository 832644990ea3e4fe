import Dispatch
import Moonlight
import Streams
import Synchronization

/// A recording of a store and its environment: each event, effect and state, and each call with its answer.
///
/// ```swift
/// let recording = Recording(of: app, keeping: 10_000, redacting: [\.token])
/// let store = Store(
///     reducer: app, initialState: App(),
///     environment: World(find: recording.async("find", live.find), now: recording.function("now", live.now)),
///     options: LoopOptions(journal: recording))
///
/// try recording.write(to: "bug.moon")
/// ```
/// `find` and `now` are also the names of the `Stub`s that tests use; so a recording can be replayed through the reducer,
/// without the environment, and can be converted to the source of a `Plan`. See <doc:Recordings>.
///
/// The loop only puts its records into a queue. They are described and encoded on another thread, some milliseconds later. If
/// the queue is full before that, the newest records replace the oldest.
///
/// A recording is for one loop, or for several one after another. All methods may be called from any thread, but not from the
/// `description` or the `Codable` conformance of recorded values.
public final class Recording<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    typealias Entry = RecordingEntry<State, Event, Effect>

    fileprivate struct Work: @unchecked Sendable {
        // Sound: only used on `worker`, one closure at a time.
        var encoder: StepEncoder<State, Event, Effect>
        var file: RecordingFile?
        /// An empty array with capacity, which replaces the entries that are taken.
        var storage: [Entry] = []

        /// Appends new steps to the file that follows the recording.
        mutating func writeNews() {
            guard file != nil else { return }
            encoder.clean()
            file?.write(encoder.archive, isAnew: encoder.hasChangedPast)
            encoder.hasChangedPast = false
        }
    }

    @usableFromInline let queue: EntryQueue<State, Event, Effect>
    /// The redacted values to collect; nil if nothing is redacted.
    @usableFromInline let redacted: RedactedValues<State>?
    /// True if it was read from a file, and records nothing.
    @usableFromInline let isLoaded: Bool
    private let work: WorkBox<Work>
    private let worker = DispatchQueue(label: "Moonlight.Recording", qos: .utility)
    private let onWorker = DispatchSpecificKey<Bool>()
    private let keeping: RecordingBound
    private let ids = Atomic<Int>(0)
    /// True if entries are encoded automatically, some milliseconds later.
    private let encodesByItself: Bool
    /// The clock for calls and answers of the environment.
    private let clock: @Sendable () -> ContinuousClock.Instant
    /// The recording that was read from a file; nil if this one records.
    private var loaded: Archive? { loadedReader?.archive }
    let loadedReader: RecordingReader?

    /// Creates a recording.
    ///
    /// - Parameters:
    ///   - reducer: The reducer of the recorded loop. Only its types are used.
    ///   - steps: The number of last steps to keep, at least 1. Up to an eighth more may be kept.
    ///   - bytes: The approximate number of bytes to keep, at least 1: if the steps take more, older ones are dropped.
    ///   - redacted: Stored properties of the state whose values are replaced in each state; `\.self` for all of it. Texts of
    ///     at least four characters, and numbers of at least four digits, are also replaced wherever else they occur, as long
    ///     as a state has them and at least until 4,096 others have followed. A value that no state has had when the
    ///     recording is written, such as that of an event that has just arrived, is not known to be secret.
    ///   - file: The file of this call, from which the source of a plan takes the text of the reducer and the environment.
    ///   - line: The line of this call.
    public convenience init<Environment>(
        of reducer: Reducer<State, Event, Effect, Environment>, keeping steps: Int = 10_000, bytes: Int = 64 << 20,
        redacting redacted: [PartialKeyPath<State> & Sendable] = [], file: StaticString = #filePath, line: UInt = #line
    ) {
        self.init(
            of: reducer, keeping: .last(steps, bytes: bytes), redacting: redacted, encodesByItself: true, clock: { .now },
            file: file, line: line)
    }

    /// Creates a recording with a given clock, for tests.
    package init<Environment>(
        of reducer: Reducer<State, Event, Effect, Environment>, keeping: RecordingBound,
        redacting redacted: [PartialKeyPath<State> & Sendable], encodesByItself: Bool,
        clock: @escaping @Sendable () -> ContinuousClock.Instant,
        file: StaticString = #filePath, line: UInt = #line
    ) {
        self.clock = clock
        self.encodesByItself = encodesByItself
        var header = RecordingHeader()
        (header.state, header.event, header.effect) = ("\(State.self)", "\(Event.self)", "\(Effect.self)")
        header.environment = "\(Environment.self)"
        (header.file, header.line) = ("\(file)", Int(line))
        self.keeping = keeping
        queue = EntryQueue(capacity: keeping.steps)
        isLoaded = false
        let redactor = Redactor(redacted)
        self.redacted = redacted.isEmpty ? nil : RedactedValues(redacted)
        header.redacted = redactor.paths
        work = WorkBox(Work(encoder: StepEncoder(header, keeping: keeping, redactor: redactor)))
        loadedReader = nil
        worker.setSpecific(key: onWorker, value: true)
    }

    init(loaded: Archive) {
        clock = { .now }
        encodesByItself = false
        keeping = .last(1)
        queue = EntryQueue(capacity: 1)
        isLoaded = true
        redacted = nil
        work = WorkBox(Work(encoder: StepEncoder(loaded.header, keeping: keeping, redactor: Redactor([]))))
        loadedReader = RecordingReader(loaded)
    }

    // MARK: Recording

    /// Records an entry of the loop's journal. `LoopOptions(journal: recording)` passes this method to the loop.
    ///
    /// - Parameter record: The record.
    /// - Complexity: O(1).
    @inlinable @Sendable
    public func take(_ record: JournalRecord<State, Event, Effect>) {
        if isLoaded { return }
        if redacted != nil, case .effect(_, let before, let after) = record.step {
            learn(from: before)
            learn(from: after)
        }
        if queue.add(.journal(record)) { encodeSoon() }
    }

    /// Reads the redacted values of a state, before the queue may drop the state.
    @usableFromInline
    func learn(from state: State) {
        // So many different values arrive at once only if a redacted property changes with each event. Then the loop waits until
        // they are processed: they must not fill the memory, and none may be lost.
        guard let redacted, redacted.take(from: state), DispatchQueue.getSpecific(key: onWorker) == nil else { return }
        worker.sync { work.value.encoder.learn(redacted.takeWaiting()) }
    }

    /// Records the initial state of a loop, and keeps the function that returns the cause of a call.
    @usableFromInline @Sendable
    func begin(with state: State, causeHere: @escaping @Sendable () -> Int?) {
        if isLoaded { return }
        queue.setCause(causeHere)
        learn(from: state)
        if queue.add(.begin(LoopBeginning(state, at: clock()))) { encodeSoon() }
    }

    /// Records the state of a loop that is already running, and whose records are passed to ``take(_:)`` from now on.
    ///
    /// - Parameter state: The state to show until the first recorded effect shows the actual one.
    public func begin(with state: State) { begin(with: state, causeHere: { nil }) }

    @usableFromInline
    func encodeSoon() {
        if encodesByItself { worker.asyncAfter(deadline: .now() + .milliseconds(10)) { [self] in drain() } }
    }

    /// Encodes everything that was recorded so far.
    public func flush() { worker.sync { drain() } }

    /// Encodes the pending entries. Called on the worker.
    private func drain() {
        let taken = queue.take(leaving: work.value.storage)
        work.value.storage = []
        // Learned after the entries were taken, so that all values that they contain are known.
        if let redacted { work.value.encoder.learn(redacted.takeWaiting()) }
        work.value.encoder.begin(lost: taken.lost, stateOfLost: taken.stateOfLost)
        // swift-format-ignore: ReplaceForEachWithForLoop
        taken.forEach { entry in
            if work.value.encoder.add(entry) { queue.bound(to: work.value.encoder.mostWaiting) }
        }
        work.value.encoder.bound()
        work.value.encoder.forget()
        work.value.storage = taken.storage()
        queue.bound(to: work.value.encoder.mostWaiting)
        work.value.writeNews()
    }

    // MARK: Environment

    /// Returns a new number for a call or a timer.
    func newID() -> Int { ids.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Records a call, an answer or a timer.
    ///
    /// - Parameter isFromOutside: True for an answer that arrives after its call has returned.
    func note(_ what: WorldEntry.What, id: Int, isFromOutside: Bool = false) {
        if isLoaded { return }
        let time = clock()
        let cause = isFromOutside ? nil : causeHere
        if queue.add(.world(WorldEntry(id: id, what: what, cause: cause, time: time))) { encodeSoon() }
    }

    /// True while this thread handles an item of the loop.
    var isInTurn: Bool { queue.causeHere?() != nil }

    /// The number of the record in the journal that causes the current work of this thread; nil if it comes from outside the
    /// loop.
    var causeHere: Int? {
        // A loop that handles an item on this thread takes precedence: the item may have been sent by the body of the task.
        queue.causeHere?() ?? RunningWork.cause ?? RecordedTimer.cause
    }

    // MARK: Files

    /// The recording so far.
    var archive: Archive {
        if let loaded { return loaded }
        return worker.sync {
            drain()
            work.value.encoder.clean()
            return work.value.encoder.archive
        }
    }

    /// Writes the recording so far to a file, which is replaced if it exists.
    ///
    /// A new file is readable only by its owner. A replaced file keeps its mode, its owner as far as the process may set it,
    /// and the symbolic links that lead to it.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: ``RecordingError/file(path:reason:)`` if the file cannot be written.
    public func write(to path: String) throws(RecordingError) { try RecordingFile.write(archive.bytes(), to: path) }

    /// The recording so far, as the contents of a file.
    public var bytes: [UInt8] { archive.bytes() }

    /// Writes the recording to a file from now on: the kept steps at once, each further step some milliseconds later.
    ///
    /// After a crash, the file has the steps up to that point. When the file has grown to twice the size of the kept steps, and
    /// to 128 KB, it is rewritten with these. If it cannot be written any more, for example because the disk is full, recording
    /// continues in memory, and ``fileFailure`` has the reason.
    ///
    /// - Parameter path: The path of the file, which is replaced if it exists; see ``write(to:)``.
    /// - Throws: ``RecordingError/file(path:reason:)`` if the file cannot be written.
    public func follow(in path: String) throws(RecordingError) {
        if isLoaded { return try write(to: path) }
        let result: Result<Void, RecordingError> = worker.sync {
            drain()
            work.value.encoder.clean()
            do throws(RecordingError) {
                work.value.file = try RecordingFile(path, work.value.encoder.archive)
                return .success(())
            } catch { return .failure(error) }
        }
        try result.get()
    }

    /// The reason why the file of ``follow(in:)`` is no longer written; nil if it is, or if there is none.
    public var fileFailure: RecordingError? { worker.sync { work.value.file?.failure } }
}

/// A box for a value that one thread at a time uses.
private final class WorkBox<Value>: @unchecked Sendable {
    // Sound: the value is only used on one serial queue.
    var value: Value
    init(_ value: Value) { self.value = value }
}
