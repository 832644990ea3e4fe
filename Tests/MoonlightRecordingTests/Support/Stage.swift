import Moonlight
import MoonlightRecording
import MoonlightTesting
import Streams

/// A store whose environment the test plays, on one thread and in virtual time.
final class Stage: @unchecked Sendable {
    // Sound: a test uses it on one thread, on which its tasks run, too.
    typealias DeskRecording = Recording<Desk, DeskEvent, DeskEffect>

    let recording: DeskRecording
    let time = VirtualTimeScheduler()
    private let executor: ManualExecutor
    private var running: Store<Desk, DeskEvent>?
    var store: Store<Desk, DeskEvent> {
        guard let running else { preconditionFailure("the store begins at the end of init") }
        return running
    }
    var clock = 0
    private var searches: [(text: String, answer: CheckedContinuation<Result<[String], Reason>, Never>)] = []
    private var watches: [(name: String, subject: PassthroughSubject<Int, Never>)] = []

    init(
        _ desk: Reducer<Desk, DeskEvent, DeskEffect, DeskWorld> = desk, _ initial: Desk = Desk(),
        keeping: RecordingBound = .last(10_000), redacting redacted: [PartialKeyPath<Desk> & Sendable] = [],
        hasFeedback: Bool = false, inbox: InboxBound = .unbounded,
        feedback: ((AnyPublisher<Desk, Never>) -> [AnyPublisher<DeskEvent, Never>])? = nil
    ) {
        recording = Recording(of: desk, keeping: keeping, redacting: redacted, encodesByItself: false) { [time] in
            JournalRecord<Desk, DeskEvent, DeskEffect>.instant(at: time.now.offset.nanoseconds)
        }
        executor = ManualExecutor(time)
        let world = DeskWorld(
            find: recording.async("find") { [unowned self] (text: String) async throws(Reason) -> [String] in
                try await withCheckedContinuation { self.searches.append((text, $0)) }.get()
            },
            prices: recording.publisher("prices") { [unowned self] name in
                let subject = PassthroughSubject<Int, Never>()
                watches.append((name, subject))
                return subject.eraseToAnyPublisher()
            },
            now: recording.function("now") { [unowned self] in
                clock += 1
                return clock
            },
            scheduler: recording.scheduler(time))
        var options = LoopOptions(name: "desk", journal: recording, inbox: inbox)
        options.clock = { [time] in time.now.offset.nanoseconds }
        perform {
            running = Store(
                reducer: desk, initialState: initial, environment: world, options: options,
                feedback: { states in
                    feedback?(states)
                        ?? (hasFeedback ? deskFeedback(states, world) : [Empty(completeImmediately: false).eraseToAnyPublisher()])
                })
        }
    }

    func perform(_ act: () -> Void) {
        TaskPlace.$executor.withValue(executor) {
            act()
            time.advance(by: 0)
        }
    }

    @discardableResult
    func send(_ events: DeskEvent...) -> Self {
        for event in events { perform { _ = store.send(event) } }
        return self
    }

    /// The pending searches.
    var waiting: [String] { searches.map(\.text) }
    var watched: [String] { watches.map(\.name) }

    @discardableResult
    func answer(at place: Int = 0, _ result: Result<[String], Reason>) -> Self {
        let search = searches.remove(at: place)
        perform { search.answer.resume(returning: result) }
        return self
    }

    @discardableResult
    func price(_ price: Int, of place: Int = 0) -> Self {
        perform { watches[place].subject.send(price) }
        return self
    }

    @discardableResult
    func endPrices(of place: Int = 0) -> Self {
        let watch = watches.remove(at: place)
        perform { watch.subject.send(completion: .finished) }
        return self
    }

    @discardableResult
    func pass(_ duration: Duration) -> Self {
        perform { time.advance(by: duration) }
        return self
    }

    func end() {
        perform { store.cancel() }
        while !searches.isEmpty { answer(.failure(.offline)) }
    }

    deinit { if let store = running { TaskPlace.$executor.withValue(executor) { store.cancel() } } }
}
