import Dispatch
import Moonlight
import Streams
import Synchronization

/// A running program without a terminal: its loop, and what lies between its frames.
///
/// It belongs to one thread, or to one queue: all methods are called there. The loop may run on any thread.
final class ProgramCore<State: Equatable & Sendable, Event: Sendable> {
    private let loop: ProgramLoop<State, Event>
    private let notes: ProgramNotes
    private let changes: Changes
    private let isOver: (@Sendable (State) -> Bool)?
    private var screen: ProgramScreen<State, Event>
    private var observation: AnyCancellable?
    /// Why it is over, if it is.
    private(set) var ending: ProgramEnding?
    /// The error that the view has thrown.
    private(set) var failure: (any Error)?
    /// Indicates whether a key that asks for it was pressed.
    var wantsSuspension = false

    /// - Parameter wake: Called, on any thread, when there may be something to draw and nobody has been told so since ``isDue``.
    init(
        _ loop: ProgramLoop<State, Event>, _ notes: ProgramNotes, _ settings: ProgramSettings<State, Event>, size: Size,
        wake: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        self.notes = notes
        isOver = settings.isOver
        screen = ProgramScreen(settings, size: size)
        let changes = Changes(wake)
        self.changes = changes
        notes.tell { changes.note() }
        observation = loop.observe({ changes.note() }, { changes.end() })
    }

    /// Where events are sent.
    var store: Store<State, Event> { loop.store }

    /// What the loop tells from other threads.
    final class Changes: Sendable {
        private let isNew = Atomic(true)
        private let isOver = Atomic(false)
        private let isAsleep = Atomic(false)
        private let wake: @Sendable () -> Void

        init(_ wake: @escaping @Sendable () -> Void) { self.wake = wake }

        func note() {
            // Told by the thread that draws, which looks by itself, or told already: nobody is to be woken.
            if !isNew.exchange(true, ordering: .sequentiallyConsistent) { wakeIfAsleep() }
        }

        func end() {
            isOver.store(true, ordering: .sequentiallyConsistent)
            wakeIfAsleep()
        }

        private func wakeIfAsleep() {
            if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { wake() }
        }

        /// Indicates whether there was a change since the last call.
        func take() -> Bool { isNew.exchange(false, ordering: .sequentiallyConsistent) }
        var hasNews: Bool { isNew.load(ordering: .sequentiallyConsistent) || hasEnded }
        var hasEnded: Bool { isOver.load(ordering: .sequentiallyConsistent) }

        /// Says that the thread is about to sleep.
        ///
        /// - Returns: Whether it may: nothing has happened meanwhile.
        func fallAsleep(unless hasSeen: Bool) -> Bool {
            isAsleep.store(true, ordering: .sequentiallyConsistent)
            if hasNews, !hasSeen {
                isAsleep.store(false, ordering: .sequentiallyConsistent)
                return false
            }
            return true
        }

        func awake() { isAsleep.store(false, ordering: .sequentiallyConsistent) }
    }

    // MARK: Input

    /// Takes an input: views and keys of the state of this moment decide which event it is.
    func take(_ input: InputEvent) {
        guard ending == nil, failure == nil else { return }
        let state = currentState()
        screen.notes = notes.lines
        do {
            switch try screen.take(input, in: state) {
            case .events(let events): for event in events { loop.send(event) }
            case .quit: ending = .quit
            case .suspend: wantsSuspension = true
            }
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: any Error) {
        failure = error
        if ending == nil { ending = .finished }
    }

    /// The state in which all that was sent before has been handled.
    ///
    /// If another thread runs the loop now, what this one has sent waits there, and a key that follows must wait, too:
    /// else it would be looked up in a state that is out of date.
    private func currentState() -> State {
        store.isIdle ? loop.state() : awaitedState()
    }

    /// Apart, so that a key which need not wait does not ask for what this one needs.
    @inline(never)
    private func awaitedState() -> State {
        let answer = Answer()
        let waiting = store.states.first().sink(receiveCompletion: { _ in answer.give(nil) }, receiveValue: { answer.give($0) })
        defer { waiting.cancel() }
        return answer.take() ?? store.state
    }

    private final class Answer: Sendable {
        private let state = Lock<(value: State?, isGiven: Bool)>((nil, false))
        private let isThere = DispatchSemaphore(value: 0)

        func give(_ value: State?) {
            let isFirst = state.withLock { state -> Bool in
                if state.isGiven { return false }
                state = (value, true)
                return true
            }
            if isFirst { isThere.signal() }
        }

        func take() -> State? {
            isThere.wait()
            return state.withLock { $0.value }
        }
    }

    // MARK: Frames

    /// Indicates whether a frame may look different from the last one.
    var isDue: Bool { changes.hasNews || screen.presentation.needsFrame }

    /// The frame of the state of this moment; nil if the program has failed.
    func frame() -> Canvas? {
        _ = changes.take()
        let state = loop.state()
        if changes.hasEnded, ending == nil { ending = .finished }
        guard failure == nil else { return nil }
        screen.notes = notes.lines
        do {
            try screen.show(state)
            if ending == nil, let isOver, isOver(state) { ending = .finished }
            return screen.presentation.canvas
        } catch {
            fail(error)
            return nil
        }
    }

    /// The last frame.
    var canvas: Canvas { screen.presentation.canvas }
    /// The title that the last frame gave the window.
    var title: String? { screen.presentation.title }
    /// The constraints of the last frame that could not be satisfied.
    var issues: [LayoutIssue] { screen.presentation.issues }

    // MARK: The thread

    /// Says that the thread is about to sleep until it is woken; false if it must not, because something has happened.
    ///
    /// - Parameter isPutOff: Whether a frame is put off for a while, so that another change makes no difference.
    func fallAsleep(isPutOff: Bool) -> Bool { changes.fallAsleep(unless: isPutOff) }
    func awake() { changes.awake() }

    /// Calls a function when nothing of the loop is in flight, or the loop has ended.
    func whenQuiet(_ tell: @escaping @Sendable () -> Void) {
        Task { [store] in
            await store.quiet()
            tell()
        }
    }

    /// Ends the program, for a reason that is not its own.
    func end(_ ending: ProgramEnding) { if self.ending == nil { self.ending = ending } }

    /// Cancels the loop with all that it does.
    func close() {
        observation?.cancel()
        store.cancel()
    }
}
