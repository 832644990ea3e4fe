import Dispatch
import Moonlight
import Streams
import Synchronization

/// A recording of a store and its environment: each event, effect and state, and each call with its answer.
///
/// ```swift
/// let recording = Recording(of: app, keeping: .last(10_000), redacting: [\.token])
/// let store = Store(
///     reducer: app, initialState: App(),
///     environment: World(find: recording.async("find", live.find), now: recording.function("now", live.now)),
///     options: LoopOptions(journal: recording))
///
/// try recording.write(to: "bug.moon")
/// ```
/// `find` and `now` are also the names of the `Stub`s that tests use; so a recording can be played again through the reducer, without
/// the world, and can be made into the source of a `Plan`. See <doc:Recordings>.
///
/// The loop only puts its records into a queue. They are described and encoded elsewhere, some milliseconds later. If the queue is
/// full before that, the newest take the place of the oldest, as they would in what is kept.
///
/// One recording is for one loop, or for several one after another. All methods may be called from any thread, but not from the
/// `description` or the `Codable` of what is recorded.
public final class Recording<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    typealias Entry = RecordingEntry<State, Event, Effect>

    fileprivate struct Work: @unchecked Sendable {
        // Sound: only used on `worker`, one closure at a time.
        var encoder: StepEncoder<State, Event, Effect>
        var file: RecordingFile?
        /// An empty array with room, which takes the place of the entries that are taken.
        var storage: [Entry] = []

        /// Writes what is new to the file that follows the recording.
        mutating func writeNews() {
            guard file != nil else { return }
            encoder.clean()
            file?.write(encoder.archive, isAnew: encoder.hasChangedPast)
            encoder.hasChangedPast = false
        }
    }

    @usableFromInline let queue: EntryQueue<State, Event, Effect>
    /// The values to be learnt; nil if nothing is redacted.
    @usableFromInline let redacted: RedactedValues<State>?
    /// Whether it was read, and takes nothing any more.
    @usableFromInline let isLoaded: Bool
    private let work: WorkBox<Work>
    private let worker = DispatchQueue(label: "Moonlight.Recording", qos: .utility)
    private let onWorker = DispatchSpecificKey<Bool>()
    private let keeping: RecordingBound
    private let ids = Atomic<Int>(0)
    /// Whether what was taken is encoded some milliseconds later without anybody asking.
    private let encodesByItself: Bool
    /// The time at the border to the world.
    private let clock: @Sendable () -> ContinuousClock.Instant
    /// A recording that was read, which takes nothing any more.
    private var loaded: Archive? { loadedReader?.archive }
    let loadedReader: RecordingReader?

    /// Creates a recording.
    ///
    /// - Parameters:
    ///   - reducer: The reducer of the loop that is recorded. It only says what the types are.
    ///   - keeping: How much is kept.
    ///   - redacted: Stored properties of the state whose values are replaced in each state; `\.self` for all of it. Texts of four
    ///     characters or more, and numbers of four digits or more, are also replaced wherever else they occur, as long as a state
    ///     has them and at least until 4,096 others have followed. A value that the state does not hold yet when the recording is written,
    ///     such as that of an event that has just brought it, is not known to be secret.
    ///   - file: The file of this call, from which the source of a plan takes the text of the reducer and the environment.
    ///   - line: The line of this call.
    public convenience init<Environment>(
        of reducer: Reducer<State, Event, Effect, Environment>, keeping: RecordingBound = .last(10_000),
        redacting redacted: [PartialKeyPath<State> & Sendable] = [], file: StaticString = #filePath, line: UInt = #line
    ) {
        self.init(
            of: reducer, keeping: keeping, redacting: redacted, encodesByItself: true, clock: { .now }, file: file, line: line)
    }

    /// Creates a recording with a clock of its own, for tests.
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

    // MARK: Taking

    /// Takes a record of the loop's journal. `LoopOptions(journal: recording)` passes this method to the loop.
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

    /// Takes what is redacted out of a state, before the queue may let go of the state.
    @usableFromInline
    func learn(from state: State) {
        // So many different values come at once only if a redacted property changes with each event. Then the loop waits for them to be
        // learnt: they must not fill the memory, and none may be forgotten.
        guard let redacted, redacted.take(from: state), DispatchQueue.getSpecific(key: onWorker) == nil else { return }
        worker.sync { work.value.encoder.learn(redacted.takeWaiting()) }
    }

    /// Takes the state with which a loop begins, and what tells the cause of a call.
    @usableFromInline @Sendable
    func begin(with state: State, causeHere: @escaping @Sendable () -> Int?) {
        if isLoaded { return }
        queue.setCause(causeHere)
        learn(from: state)
        if queue.add(.begin(LoopBeginning(state, at: clock()))) { encodeSoon() }
    }

    /// Takes the state of a loop that runs already, and whose records are passed to ``take(_:)`` from now on.
    ///
    /// - Parameter state: The state that is shown until the first effect that is taken says what it really was.
    public func begin(with state: State) { begin(with: state, causeHere: { nil }) }

    @usableFromInline
    func encodeSoon() {
        if encodesByItself { worker.asyncAfter(deadline: .now() + .milliseconds(10)) { [self] in drain() } }
    }

    /// Makes steps of everything that was taken so far.
    public func flush() { worker.sync { drain() } }

    /// On the worker.
    private func drain() {
        let taken = queue.take(leaving: work.value.storage)
        work.value.storage = []
        // After the entries were taken: so of all that they carry, the values are there.
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

    // MARK: The world

    /// A new number for a call or a timer.
    func newID() -> Int { ids.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Takes what happened at the border to the world.
    func note(_ what: WorldEntry.What, id: Int) {
        if isLoaded { return }
        let time = clock()
        if queue.add(.world(WorldEntry(id: id, what: what, cause: causeHere, time: time))) { encodeSoon() }
    }

    /// The number of the record in the journal to which it is due what this thread does; nil if it comes from outside the loop.
    var causeHere: Int? {
        // A loop that handles an item on this thread comes first: the item may have been sent by the body that the task runs.
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
    /// A new file is for its owner alone. One that is replaced keeps its mode, its owner as far as the process may set it, and the
    /// symbolic links that lead to it.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: ``RecordingError/file(path:reason:)`` if the file cannot be written.
    public func write(to path: String) throws(RecordingError) { try RecordingFile.write(archive.bytes(), to: path) }

    /// The recording so far, as the bytes of a file.
    public var bytes: [UInt8] { archive.bytes() }

    /// Writes the recording to a file from now on: what is kept so far at once, each further step some milliseconds later.
    ///
    /// A program that crashes leaves a file that can be read up to there. When the file has grown to twice the bytes that are kept,
    /// it is begun anew with what is kept. If it cannot be written any more, for example because the disk is full, recording goes on
    /// in memory, and ``fileFailure`` says why.
    ///
    /// - Parameter path: The path of the file, which is replaced if it exists; see ``write(to:)``.
    /// - Throws: ``RecordingError/file(path:reason:)`` if the file cannot be written.
    public func follow(in path: String) throws(RecordingError) {
        if isLoaded { return try write(to: path) }
        let result: Result<Void, RecordingError> = worker.sync {
            drain()
            work.value.encoder.clean()
            do throws(RecordingError) {
                work.value.file = try RecordingFile(path, limit: keeping.bytes, work.value.encoder.archive)
                return .success(())
            } catch { return .failure(error) }
        }
        try result.get()
    }

    /// Why the file of ``follow(in:)`` is not written any more; nil if it is, or if there is none.
    public var fileFailure: RecordingError? { worker.sync { work.value.file?.failure } }
}

/// A value that one thread at a time uses.
private final class WorkBox<Value>: @unchecked Sendable {
    // Sound: the value is only used on one serial queue.
    var value: Value
    init(_ value: Value) { self.value = value }
}
