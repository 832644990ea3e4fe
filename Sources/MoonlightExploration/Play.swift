import Moonlight
import MoonlightTesting
import Streams

/// One play of a program, from the beginning: a loop, its calls and its time, and what is alive.
///
/// A play is used by a single thread.
final class Play<State: Equatable, Event, Effect, Environment> {
    typealias Program = Exploration<State, Event, Effect, Environment>

    /// A call that waits for its outcome.
    struct OpenCall {
        let record: CallRecord
        let effect: LiveEffect
        /// The number of the call among those of its effect.
        let number: Int
        let rule: CallRule
        let outcomes: [ErasedOutcome]
    }

    private let program: Program
    private let scheduler: VirtualTimeScheduler
    private let executor: ManualExecutor
    private let log = CallLog()
    private var store: Store<State, Event>?
    private var observer: AnyCancellable?
    private let notes: PlayNotes<State, Event, Effect, Environment>
    private var eventsSent = 0
    private var hasEnded = false

    init(_ program: Program) {
        self.program = program
        let life = EffectLife()
        scheduler = VirtualTimeScheduler(marks: TimerMarks(make: { EffectMark.current }, run: life.run))
        executor = ManualExecutor(scheduler)
        life.base = executor
        notes = PlayNotes(key: program.key, life)
        let notes = notes
        let reducer = program.reducer.middleware(notes.marking)
        let environment = program.environment(Stubs(scheduler: scheduler, log: log))
        perform {
            store = Store(
                reducer: reducer, initialState: program.given, environment: environment,
                options: LoopOptions(journal: notes.journal),
                feedback: { states in
                    // A stream that never ends, so that the loop does not end either.
                    let endless = Empty<Event, Never>(completeImmediately: false).eraseToAnyPublisher()
                    guard let feedback = program.feedback else { return [endless] }
                    let effect = notes.life.begin(AnyHashable("feedback"), program.key(program.given), part: 0)
                    let marked = MarkedStates(states: states, executor: effect.executor, note: notes.telling(effect))
                    return effect.executor.run {
                        [endless] + feedback(marked.eraseToAnyPublisher(), environment)
                    }
                })
            observer = store?.states.sink { notes.shown.append($0) }
        }
    }

    deinit {
        // What is alive may hold what refers to it.
        perform {
            observer?.cancel()
            store?.cancel()
        }
    }

    private func perform(_ act: () -> Void) {
        TaskPlace.$executor.withValue(executor) {
            act()
            scheduler.advance(by: 0)
        }
    }

    var state: State { store?.state ?? program.given }
    /// The states that observers have seen since the last choice; at first, the initial one.
    var shown: [State] { notes.shown }
    /// What has been rejected since the last choice.
    var refusals: [Refusal] { notes.refusals }
    /// The descriptions of all calls so far.
    var calls: [String] { log.records.map(\.description) }

    // MARK: What can happen

    /// The calls that can get an outcome, in the order of their effects.
    ///
    /// - Throws: If a call has no rule.
    func openCalls() throws(ExplorationFault) -> [OpenCall] {
        var calls: [OpenCall] = []
        let records = log.records
        for effect in notes.life.effects {
            var number = 0
            for record in records where record.mark == effect.mark {
                defer { number += 1 }
                guard record.state == .waits else { continue }
                guard let rule = program.rules[record.name], let outcomes = rule.outcomes(record) else {
                    throw ExplorationFault(
                        "\(record.description) was called, but nothing says what can become of it: write .answers(…, with: …)")
                }
                let sent = effect.valuesSent[number, default: 0]
                calls.append(
                    OpenCall(
                        record: record, effect: effect, number: number, rule: rule,
                        outcomes: sent < rule.mostValues ? outcomes : outcomes.filter { !$0.staysOpen }))
            }
        }
        if let stray = records.first(where: { $0.state == .waits && $0.mark == nil }) {
            throw ExplorationFault(
                "\(stray.description) was called by no effect, but by other code, such as `transform`: call it in a stream")
        }
        return calls
    }

    /// What can happen next.
    func choices() throws(ExplorationFault) -> [Choice] {
        var choices: [Choice] = []
        if hasEnded { return [] }
        if eventsSent < program.mostEvents ?? .max {
            choices += program.events(state).indices.map { Choice.event($0) }
        }
        for (index, call) in try openCalls().enumerated() {
            choices += call.outcomes.indices.map { Choice.answer(call: index, outcome: $0) }
        }
        if scheduler.pending > 0 { choices.append(.time) }
        if program.hasCancellations {
            choices += notes.life.effects.indices.filter { !notes.life.effects[$0].isFeedback }.map { .cancel($0) } + [.end]
        }
        return choices
    }

    /// Whether a timer waits.
    var hasTimers: Bool { scheduler.pending > 0 }

    /// Whether nothing is alive: no effect, no timer.
    var isQuiet: Bool { notes.life.effects.allSatisfy { $0.isFeedback } && scheduler.pending == 0 }

    /// All that the future depends on.
    var key: MomentKey {
        let now = scheduler.now
        return MomentKey(
            state: program.key(state), events: program.mostEvents == nil ? 0 : eventsSent, effects: notes.life.effects.map(\.key),
            timers: scheduler.agenda.map { time, interval, mark in
                TimerKey(
                    wait: now.distance(to: time), interval: interval,
                    effect: mark.flatMap { mark in notes.life.effects.firstIndex { $0.mark == mark } })
            }, isEnded: hasEnded)
    }

    /// Returns a choice as the step of a plan, in Swift; nil if plans have no such step.
    func source(of choice: Choice) throws(ExplorationFault) -> String? {
        switch choice {
        case .event(let number):
            let events = program.events(state)
            return events.indices.contains(number)
                ? ".when(\(SwiftSource.of(events[number])), allowingRefusals: true)" : nil
        case .answer(let number, let outcome):
            let calls = try openCalls()
            guard calls.indices.contains(number), calls[number].outcomes.indices.contains(outcome) else { return nil }
            return calls[number].outcomes[outcome].source
        case .time:
            guard let next = scheduler.agenda.first?.time else { return nil }
            return ".advance(by: \(SwiftSource.source(of: scheduler.now.distance(to: next).duration)))"
        case .cancel, .end: return nil
        }
    }

    /// Makes a choice, and lets all happen that follows from it without time passing.
    ///
    /// - Returns: What the story says of it; nil if there is no such choice.
    @discardableResult
    func make(_ choice: Choice) throws(ExplorationFault) -> String? {
        (notes.shown, notes.refusals) = ([], [])
        switch choice {
        case .event(let number):
            let events = program.events(state)
            guard events.indices.contains(number), eventsSent < program.mostEvents ?? .max, let store else { return nil }
            eventsSent += 1
            perform { _ = store.send(events[number]) }
            return "When \(Differences.describe(events[number]))"
        case .answer(let number, let outcome):
            let calls = try openCalls()
            guard calls.indices.contains(number), calls[number].outcomes.indices.contains(outcome) else { return nil }
            let call = calls[number]
            let chosen = call.outcomes[outcome]
            call.effect.told.append(.outcome(call: call.number, outcome))
            if chosen.staysOpen { call.effect.valuesSent[call.number, default: 0] += 1 }
            perform { call.effect.executor.run { chosen.give(call.record) } }
            return chosen.title
        case .time:
            let agenda = scheduler.agenda
            guard let next = agenda.first?.time else { return nil }
            let wait = scheduler.now.distance(to: next)
            for effect in notes.life.effects where agenda.contains(where: { $0.time == next && $0.mark == effect.mark }) {
                effect.told.append(.time)
            }
            perform { scheduler.advance(to: next) }
            return "After \(wait.duration)"
        case .cancel(let number):
            guard notes.life.effects.indices.contains(number) else { return nil }
            let effect = notes.life.effects[number]
            perform { effect.executor.run { effect.cancellation.send() } }
            return "The effect of \(effect.event) is cancelled"
        case .end:
            if hasEnded { return nil }
            hasEnded = true
            perform { store?.cancel() }
            return "The loop is cancelled"
        }
    }
}

/// An event or effect that was refused.
struct Refusal {
    let what: String
    let error: any Error
}

/// What a play notes while it runs.
private final class PlayNotes<State, Event, Effect, Environment>: @unchecked Sendable {
    // Sound: used by the one thread of the play.
    typealias Next = @Sendable (State, Event, Environment) throws -> Effects<Effect>
    var shown: [State] = []
    var refusals: [Refusal] = []
    let life: EffectLife
    private let key: (State) -> AnyHashable

    init(key: @escaping (State) -> AnyHashable, _ life: EffectLife) { (self.key, self.life) = (key, life) }

    /// A middleware that marks each stream of effects.
    var marking: @Sendable (State, Event, Environment, Next) throws -> Effects<Effect> {
        { state, event, environment, next in
            let effects = try next(state, event, environment)
            if effects.isReady { return effects }
            let start = UncheckedTransfer((self.eventKey(event), self.key(state)))
            var part = -1
            return effects.mapStreams { self.marked($0, start, &part) }
        }
    }

    /// Returns a stream that is marked when it is subscribed to. What is merged is marked one by one, as a merge has no memory.
    private func marked(
        _ stream: AnyPublisher<Effect, Never>, _ start: UncheckedTransfer<(AnyHashable, AnyHashable)>, _ part: inout Int
    ) -> AnyPublisher<Effect, Never> {
        if let parts = stream.mergedParts {
            return AnyPublisher(Publishers.MergeMany(parts.map { marked($0, start, &part) }))
        }
        part += 1
        if stream.isReady { return stream }
        let number = part
        return AnyPublisher(
            MarkedEffects(
                effects: stream, begin: { self.life.begin(start.value.0, start.value.1, part: number) }, end: life.end))
    }

    /// Notes what is rejected.
    var journal: @Sendable (JournalRecord<State, Event, Effect>) -> Void {
        { record in
            switch record.step {
            case .rejected(let event, let error):
                self.refusals.append(Refusal(what: "the event \(Differences.describe(event))", error: error))
            case .effectRejected(let effect, let error):
                self.refusals.append(Refusal(what: "the effect \(Differences.describe(effect))", error: error))
            default: break
            }
        }
    }

    /// Notes each state that an effect, which is feedback, is told.
    func telling(_ effect: LiveEffect) -> @Sendable (State) -> Void { { effect.told.append(.state(self.key($0))) } }

    /// What tells events apart: the event if it is Hashable, else its description, with all that it holds.
    private func eventKey(_ event: Event) -> AnyHashable {
        if let hashable = event as? AnyHashable { return hashable }
        var text = ""
        dump(event, to: &text)
        return AnyHashable(text)
    }
}

/// The effects that are alive in a play, in the order in which they began.
private final class EffectLife: @unchecked Sendable {
    // Sound: used by the one thread of the play.
    private(set) var effects: [LiveEffect] = []
    /// The executors of all effects that have begun, by their marks.
    private var executors: [MarkedExecutor] = []
    var base: ManualExecutor!

    func begin(_ event: AnyHashable, _ state: AnyHashable, part: Int) -> LiveEffect {
        let executor = MarkedExecutor(executors.count, on: base)
        executors.append(executor)
        let effect = LiveEffect(executor, event, state, part: part)
        effects.append(effect)
        return effect
    }

    /// Runs a closure as code of an effect; of none, if the mark is nil.
    @Sendable func run(_ mark: Int?, _ action: () -> Void) {
        if let mark { executors[mark].run(action) } else { TaskPlace.with(base, action) }
    }

    @Sendable func end(_ mark: Int) { effects.removeAll { $0.mark == mark } }
}

/// What prevents an exploration from going on.
struct ExplorationFault: Error {
    let message: String
    init(_ message: String) { self.message = message }
}
