import Dispatch
import Moonlight
import Streams
import Synchronization

/// A running program without a terminal: its loop and its screen.
///
/// Confined to one thread or queue. The loop may run on any thread.
package final class ProgramCore<State: Equatable & Sendable, Event: Sendable> {
    private let loop: ProgramLoop<State, Event>
    private let notes: ProgramNotes
    private let changes: Changes
    private var screen: ProgramScreen<State, Event>
    private var observation: AnyCancellable?
    /// The reason of the end; nil while the program runs.
    package private(set) var ending: ProgramEnding?
    /// The error that the view has thrown.
    package private(set) var failure: (any Error)?
    /// Indicates whether Ctrl-Z was pressed.
    package var wantsSuspension = false

    /// - Parameter wake: Called, on any thread, when there is a change while the program's thread sleeps.
    init(
        _ loop: ProgramLoop<State, Event>, _ notes: ProgramNotes, _ settings: ProgramSettings<State, Event>, size: Size,
        wake: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        self.notes = notes
        screen = ProgramScreen(settings, size: size)
        let changes = Changes(wake)
        self.changes = changes
        notes.tell { changes.note() }
        observation = loop.observe(
            { [isOver = settings.isOver, store = loop.store] state in
                guard isOver?(state) == true else { return changes.note() }
                // The loop stops here, so that this state is the last one.
                changes.end()
                store.cancel()
            }, { changes.end() })
    }

    /// The store, which takes events.
    package var store: Store<State, Event> { loop.store }

    /// The changes that the loop reports from other threads.
    final class Changes: Sendable {
        private let isNew = Atomic(true)
        private let isOver = Atomic(false)
        private let isAsleep = Atomic(false)
        private let wake: @Sendable () -> Void

        init(_ wake: @escaping @Sendable () -> Void) { self.wake = wake }

        func note() {
            // If a change was reported already, the thread is awake or being woken.
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

        /// Announces that the thread is about to sleep.
        ///
        /// - Returns: False if there was a change meanwhile.
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

    /// Handles an input by the views and keys of the current state.
    package func take(_ input: InputEvent) {
        guard ending == nil, failure == nil else { return }
        let state = currentState()
        if changes.hasEnded { return end(.finished) }
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

    /// The state after all events that were sent before.
    ///
    /// If another thread runs the loop, earlier events wait in its mailbox. The next key must wait for them, or it would be
    /// looked up in an outdated state.
    private func currentState() -> State {
        store.isIdle ? loop.state() : awaitedState()
    }

    /// Waits for the state. Not inlined, to keep the common path short.
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

    /// Indicates whether a frame may differ from the last one.
    var isDue: Bool { changes.hasNews || screen.presentation.needsFrame }

    /// The frame of the current state; nil if the program has failed.
    package func frame() -> Canvas? {
        _ = changes.take()
        let state = loop.state()
        if changes.hasEnded { end(.finished) }
        guard failure == nil else { return nil }
        screen.notes = notes.lines
        do {
            try screen.show(state)
            return screen.presentation.canvas
        } catch {
            fail(error)
            return nil
        }
    }

    /// The last frame.
    package var canvas: Canvas { screen.presentation.canvas }
    /// The window's title by the last frame.
    package var title: String? { screen.presentation.title }
    /// The constraints of the last frame that are not satisfied.
    package var issues: [LayoutIssue] { screen.presentation.issues }

    // MARK: The thread

    /// Announces that the thread is about to sleep; false if there was a change.
    ///
    /// - Parameter isPutOff: True if a frame is delayed, so that another change makes no difference.
    func fallAsleep(isPutOff: Bool) -> Bool { changes.fallAsleep(unless: isPutOff) }
    func awake() { changes.awake() }

    /// Calls a function when nothing is in flight, or the loop has ended.
    func whenQuiet(_ tell: @escaping @Sendable () -> Void) {
        Task { [store] in
            await store.quiet()
            tell()
        }
    }

    /// Ends the program for an external reason.
    func end(_ ending: ProgramEnding) { if self.ending == nil { self.ending = ending } }

    /// Cancels the loop with its effects.
    package func close() {
        observation?.cancel()
        store.cancel()
    }
}

/// The loop of a program, as closures that are called for each key.
///
/// They are formed in the caller's module, where the types of the program are known, so that they and the loop are specialized.
@usableFromInline
struct ProgramLoop<State: Equatable & Sendable, Event: Sendable> {
    let store: Store<State, Event>
    /// Sends an event.
    let send: (Event) -> Void
    /// Returns the current state.
    let state: () -> State
    /// Calls a function for each state, and another one at the end.
    let observe: (_ change: @escaping (State) -> Void, _ end: @escaping () -> Void) -> AnyCancellable

    @inlinable
    init(_ store: Store<State, Event>) {
        self.init(
            store, send: { store.send($0) }, state: { store.state },
            observe: { change, end in
                store.states.sink(receiveCompletion: { _ in end() }, receiveValue: { change($0) })
            })
    }

    @usableFromInline
    init(
        _ store: Store<State, Event>, send: @escaping (Event) -> Void, state: @escaping () -> State,
        observe: @escaping (@escaping (State) -> Void, @escaping () -> Void) -> AnyCancellable
    ) {
        self.store = store
        self.send = send
        self.state = state
        self.observe = observe
    }
}
