import Dispatch
import Moonlight
import MoonlightTesting
import Streams
import Synchronization

/// What a store and its world did: each event, effect and state, and each question to the world with its answer.
///
/// ```swift
/// let recording = Recording(of: app, keeping: .last(10_000), redacting: [\.token])
/// let store = Store(
///     reducer: app, initialState: App(),
///     environment: World(find: recording.async(find, live.find), now: recording.function(now, live.now)),
///     options: LoopOptions(journal: recording))
///
/// try recording.write(to: "bug.moon")
/// ```
/// `find` and `now` are the `Stub`s that tests use; so a recording can be played again through the reducer, without the world, and
/// can be made into a `Plan`. See <doc:Recordings>.
///
/// The loop only puts its records into a queue. They are described and encoded elsewhere, some milliseconds later. If the queue is
/// full before that, the newest take the place of the oldest, as they would in what is kept.
///
/// One recording is for one loop, or for several one after another. All methods may be called from any thread, but not from the
/// `description` or the `Codable` of what is recorded.
public final class Recording<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    typealias Entry = RecordingEntry<State, Event, Effect>

    private struct Queue: Sendable {
        var ring: EntryRing<State, Event, Effect>
        /// Whether the entries will be taken without anybody asking.
        var isAwaited = false
        /// Returns what causes the calls that the current thread makes; nil if no loop has begun.
        var causeHere: (@Sendable () -> Int?)?

        init(capacity: Int) { ring = EntryRing(capacity: capacity) }
    }

    fileprivate struct Work: @unchecked Sendable {
        // Sound: only used on `worker`, one closure at a time.
        var encoder: StepEncoder<State, Event, Effect>
        var file: RecordingFile?

        /// Writes what is new to the file that follows the recording.
        mutating func writeNews() {
            guard file != nil else { return }
            file?.write(encoder.archive, isAnew: encoder.hasChangedPast)
            encoder.hasChangedPast = false
        }
    }

    private let queue: Lock<Queue>
    private let work: WorkBox<Work>
    private let worker = DispatchQueue(label: "Moonlight.Recording", qos: .utility)
    private let keeping: RecordingBound
    private let ids = Atomic<Int>(0)
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
    ///   - redacted: The properties of the state that must not be in the recording, stored ones. Their values are also kept out of
    ///     events, effects, calls and answers, if they are texts, or numbers of four digits or more. What the state does not hold
    ///     yet when the recording is written, such as an event that has just brought it, is not known to be secret.
    ///   - file: The file of this call, from which the source of a plan takes the text of the reducer and the environment.
    ///   - line: The line of this call.
    public convenience init<Environment>(
        of reducer: Reducer<State, Event, Effect, Environment>, keeping: RecordingBound = .last(10_000),
        redacting redacted: [PartialKeyPath<State> & Sendable] = [], file: StaticString = #filePath, line: UInt = #line
    ) { self.init(of: reducer, keeping: keeping, redacting: redacted, clock: { .now }, file: file, line: line) }

    /// Creates a recording with a clock of its own, for tests.
    package init<Environment>(
        of reducer: Reducer<State, Event, Effect, Environment>, keeping: RecordingBound,
        redacting redacted: [PartialKeyPath<State> & Sendable], clock: @escaping @Sendable () -> ContinuousClock.Instant,
        file: StaticString = #filePath, line: UInt = #line
    ) {
        self.clock = clock
        var header = RecordingHeader()
        (header.state, header.event, header.effect) = ("\(State.self)", "\(Event.self)", "\(Effect.self)")
        header.environment = "\(Environment.self)"
        (header.file, header.line) = ("\(file)", Int(line))
        self.keeping = keeping
        queue = Lock(Queue(capacity: keeping.steps))
        let redactor = Redactor(redacted)
        header.redacted = redactor.paths
        work = WorkBox(Work(encoder: StepEncoder(header, keeping: keeping, redactor: redactor)))
        loadedReader = nil
    }

    init(loaded: Archive) {
        clock = { .now }
        keeping = .last(1)
        queue = Lock(Queue(capacity: 1))
        work = WorkBox(Work(encoder: StepEncoder(loaded.header, keeping: keeping, redactor: Redactor([]))))
        loadedReader = RecordingReader(loaded)
    }

    // MARK: Taking

    /// Takes a record of the loop's journal. `LoopOptions(journal: recording)` passes this method to the loop.
    ///
    /// - Complexity: O(1).
    @Sendable
    public func take(_ record: JournalRecord<State, Event, Effect>) {
        if loadedReader == nil { put(.journal(record)) }
    }

    /// Takes the state with which a loop begins, and what tells the cause of a call.
    @Sendable
    func begin(with state: State, causeHere: @escaping @Sendable () -> Int?) {
        if loadedReader != nil { return }
        discard(
            queue.withLock { queue in
                defer { queue.causeHere = causeHere }
                return queue.causeHere
            })
        put(.begin(state, at: clock()))
    }

    private func put(_ entry: Entry) {
        let (isFirst, old) = queue.withLock { queue in
            let old = queue.ring.add(entry)
            defer { queue.isAwaited = true }
            return (!queue.isAwaited, old)
        }
        discard(old)
        if isFirst { worker.asyncAfter(deadline: .now() + .milliseconds(10)) { [self] in drain() } }
    }

    /// Makes steps of everything that was taken so far.
    public func flush() { worker.sync { drain() } }

    /// On the worker.
    private func drain() {
        let taken = queue.withLock { queue in
            queue.isAwaited = false
            return queue.ring.take()
        }
        work.value.encoder.add(taken.inOrder, lost: taken.lost, stateOfLost: taken.stateOfLost)
        // What waits may take no more memory than what is kept: about as much as it does when it is encoded.
        let most = max(16, min(keeping.steps, keeping.bytes / work.value.encoder.averageStep))
        queue.withLock { $0.ring.capacity = max($0.ring.capacity == most ? most : 16, most) }
        work.value.writeNews()
    }

    // MARK: The world

    /// A new number for a call or a timer.
    func newID() -> Int { ids.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Takes what happened at the border to the world.
    func note(_ what: WorldEntry.What, id: Int) {
        if loadedReader != nil { return }
        let time = clock()
        let causeHere = queue.withLock { $0.causeHere }
        // A loop that handles an item on this thread comes first: the item may have been sent by the body that the task runs.
        put(.world(WorldEntry(id: id, what: what, cause: causeHere?() ?? RunningWork.cause, time: time)))
    }

    // MARK: Files

    /// The recording so far.
    var archive: Archive {
        if let loaded { return loaded }
        return worker.sync {
            drain()
            return work.value.encoder.archive
        }
    }

    /// Writes the recording so far to a file, which is replaced if it exists.
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
    /// - Parameter path: The path of the file, which is replaced if it exists.
    /// - Throws: ``RecordingError/file(path:reason:)`` if the file cannot be written.
    public func follow(in path: String) throws(RecordingError) {
        if loadedReader != nil { return try write(to: path) }
        let result: Result<Void, RecordingError> = worker.sync {
            drain()
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
