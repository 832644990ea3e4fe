import Moonlight
import MoonlightTesting
import Streams
import SwiftText

/// A run of a program from the beginning: its loop, calls, time and live effects.
///
/// A play is used by a single thread.
final class Play<State: Equatable, Event, Effect, Environment> {
    typealias Program = Exploration<State, Event, Effect, Environment>

    /// An open call: one without an outcome yet.
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
    private let notes: PlayNotes<State, Event, Effect>
    private var eventsSent: [Int]
    /// True if only the choice's own effect can observe that it was made.
    private(set) var wasSilent = false
    /// True if the last choice has changed no state, and neither begun nor ended an effect.
    private(set) var wasIdle = false
    private var hasEnded = false
    /// True if another choice has come before the events that wait.
    private var isOvertaken = false

    init(_ program: Program) {
        self.program = program
        let life = EffectLife(isCancellable: program.hasCancellations, marksReactions: program.feedbackForgets)
        scheduler = VirtualTimeScheduler(marks: (make: life.beginTimer, run: life.run(timer:_:)))
        executor = ManualExecutor()
        life.base = executor
        life.hasCalled = { [log] mark in log.records.contains { $0.mark == mark } }
        notes = PlayNotes(
            program.given, key: program.keys.key, eventKey: program.eventKey, life, most: program.limits.chain,
            notesEffects: program.isCovered)
        eventsSent = Array(repeating: 0, count: program.sources.count(where: { $0.most != nil }))
        let notes = notes
        let environment = program.environment(Stubs(scheduler: scheduler, log: log))
        perform {
            let feedback = program.feedback.map { feedback in
                { (states: AnyPublisher<State, Never>) in
                    let effect = notes.life.beginFeedback(program.keys.key(program.given))
                    let marked = MarkedOutput(upstream: states, executor: effect.executor, note: notes.receiving(effect))
                    let streams = effect.executor.run { feedback(marked.eraseToAnyPublisher(), environment) }
                    return streams.map { $0.compactMap(notes.following).eraseToAnyPublisher() }
                }
            }
            store = program.loop.start(program.given, environment, notes, feedback)
            notes.stop = { [weak self] in self?.store?.cancel() }
            observer = store.map { program.loop.observe($0, notes) }
            if notes.isEndless { store?.cancel() }
        }
    }

    deinit {
        // Live effects may retain each other.
        perform {
            observer?.cancel()
            store?.cancel()
        }
    }

    /// Runs a closure, and the tasks that it resumes. Closures of the scheduler that are due at once wait for a choice, since in a
    /// store other events may come first.
    private func perform(_ act: () -> Void) {
        TaskPlace.$executor.withValue(executor) {
            act()
            executor.drain()
        }
    }

    /// True if closures of the scheduler are due now.
    private var isDue: Bool { scheduler.agenda.first?.time == scheduler.now }

    var state: State { notes.state }
    /// The states that observers have seen since the last choice; initially the first one.
    var shown: [State] { notes.shown }
    /// The rejections since the last choice.
    var refusals: [Refusal] { notes.refusals }

    /// The records of rules since the last choice.
    var rules: [RuleRecord] { notes.rules }
    /// True if the last choice, or the beginning, has caused an endless chain of events.
    var isEndless: Bool { notes.isEndless }
    /// The descriptions of all calls so far.
    var calls: [String] { log.records.map(\.description) }

    // MARK: Choices

    /// Returns an open call by its number; nil if there is none, or no rule for it.
    private func openCall(_ place: Int) -> (record: CallRecord, effect: LiveEffect, number: Int, rule: CallRule)? {
        var place = place
        let records = log.records
        for effect in notes.life.effects {
            var number = 0
            for record in records where record.mark == effect.mark {
                defer { number += 1 }
                guard record.state == .waits else { continue }
                if place == 0 { return program.rules[record.name].map { (record, effect, number, $0) } }
                place -= 1
            }
        }
        return nil
    }

    /// Returns the open calls, in the order of their effects.
    ///
    /// - Throws: An error if a call has no rule.
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
                        "\(record.description) was called, but has no outcomes: add .answers(…, with: …)")
                }
                let sent = effect.valuesSent[number, default: 0]
                calls.append(
                    OpenCall(
                        record: record, effect: effect, number: number, rule: rule,
                        outcomes: sent < rule.mostValues ? outcomes : outcomes.filter { !$0.staysOpen }))
            }
        }
        if program.feedbackForgets, let feedback = notes.life.effects.first(where: \.isFeedback)?.mark {
            if let call = records.first(where: { $0.state == .waits && $0.mark == feedback }) {
                throw program.remembers(call.description)
            }
            if timers.contains(where: { $0.effect == feedback }) { throw program.remembers("a timer") }
        }
        if let stray = records.first(where: { $0.state == .waits && $0.mark == nil }) {
            throw ExplorationFault(
                "\(stray.description) was called outside any effect, for example in `transform`: call it in a stream")
        }
        return calls
    }

    private var offers: EventOffers<Event> { program.offers(in: state, sent: eventsSent) }
    /// True if a limit excludes further events.
    var isExhausted: Bool { offers.isExhausted }

    /// Returns the open calls that are sure to receive an outcome: not those that have none left.
    func owedCalls() throws(ExplorationFault) -> [(record: ObjectIdentifier, name: CallName)] {
        try openCalls().filter { !$0.rule.isNeverAnswered && !$0.outcomes.isEmpty }.map { call in
            let key = call.effect.key
            return (
                ObjectIdentifier(call.record),
                CallName(event: key.event, state: key.state, part: key.part, number: call.number)
            )
        }
    }

    /// Returns, for each effect that waits only for calls, the possible answers to them. There are none while events wait: an
    /// answer would come before them in place of another choice.
    ///
    /// - Parameter calls: The open calls; see ``openCalls()``.
    func effectsOfAnswers(_ calls: [OpenCall]) -> [[Choice]] {
        if hasFollowUps { return [] }
        let timed = Set(timers.compactMap(\.effect))
        let jobs = jobs
        var groups: [[Choice]] = []
        var last: LiveEffect?
        // The calls of an effect are adjacent.
        for (index, call) in calls.enumerated() where !call.outcomes.isEmpty {
            if call.effect.isFeedback || timed.contains(call.effect.mark) { continue }
            // Others may end a job in it, and it would go on.
            if jobs.count(where: { $0.effect == call.effect.mark }) > (call.effect.endsWithJob ? 1 : 0) { continue }
            if call.effect !== last { groups.append([]) }
            last = call.effect
            groups[groups.count - 1] += call.outcomes.indices.map { Choice.answer(call: index, outcome: $0) }
        }
        return groups
    }

    /// Returns the possible choices.
    func choices() throws(ExplorationFault) -> [Choice] { hasEnded ? [] : choices(try openCalls()) }

    /// Returns the possible choices.
    ///
    /// - Parameter calls: The open calls; see ``openCalls()``.
    func choices(_ calls: [OpenCall]) -> [Choice] {
        var choices: [Choice] = []
        if hasEnded { return [] }
        // At most one, so that an exploration ends.
        if isOvertaken { return [.followUps] }
        choices += offers.events.indices.map { Choice.event($0) }
        for (index, call) in calls.enumerated() {
            choices += call.outcomes.indices.map { Choice.answer(call: index, outcome: $0) }
        }
        if hasFollowUps { choices.append(.followUps) }
        if scheduler.pending > 0 { choices.append(.time) }
        if program.hasCancellations {
            choices += notes.life.effects.indices.filter { !notes.life.effects[$0].isFeedback }.map { .cancel($0) } + [.end]
        }
        return choices
    }

    /// True if an event follows from an effect, and waits.
    var hasFollowUps: Bool { !notes.followUps.isEmpty }

    /// True if other choices may come before events that have followed from the last choice.
    var mayBeHeld: Bool { notes.mayBeHeld }

    /// True if a timer is pending.
    var hasTimers: Bool { scheduler.pending > 0 }

    /// True if the loop has not ended, and nothing is live: no effect, no event, no timer, no call of feedback.
    var isQuiet: Bool {
        guard !hasEnded, !hasFollowUps, scheduler.pending == 0, notes.life.effects.allSatisfy({ $0.isFeedback }) else {
            return false
        }
        let feedback = notes.life.effects.first?.mark
        return feedback == nil || !log.records.contains { $0.mark == feedback && $0.state == .waits }
    }

    /// True if the loop has ended.
    var isEnded: Bool { hasEnded }

    /// The key of the node that the play has reached.
    var key: NodeKey {
        let (now, records, timers) = (scheduler.now, log.records, timers)
        func index(_ mark: Int?) -> Int? { mark.flatMap { mark in notes.life.effects.firstIndex { $0.mark == mark } } }
        return NodeKey(
            state: program.keys.key(state), events: eventsSent,
            effects: notes.life.effects.map { effect in
                var key = effect.key
                let calls = records.filter { $0.mark == effect.mark }
                key.cancelled = calls.indices.filter { calls[$0].state == .cancelled }
                return key
            },
            jobs: jobs.map { JobKey(id: $0.id, isWaiting: $0.isWaiting, effect: index($0.effect)) },
            timers: timers.map { timer in
                TimerKey(
                    wait: now.distance(to: timer.time), interval: timer.interval, effect: index(timer.effect),
                    number: number(of: timer, in: timers))
            }, followUps: notes.followUps.map(program.eventKey), isOvertaken: isOvertaken,
            isEnded: hasEnded)
    }

    private typealias PendingTimer = (time: TimePoint, interval: TimeStride?, number: Int?, effect: Int?)

    /// The pending timers in the order in which they run, each with its number, and the mark of its effect.
    private var timers: [PendingTimer] {
        if scheduler.pending == 0 { return [] }
        return scheduler.agenda.map { ($0.time, $0.interval, $0.mark, notes.life.effect(ofTimer: $0.mark)) }
    }

    /// Returns the number of a timer among the pending ones of its effect, in the order in which they were scheduled.
    private func number(of timer: PendingTimer, in timers: [PendingTimer]) -> Int {
        timers.count { $0.effect == timer.effect && ($0.number ?? 0) < (timer.number ?? 0) }
    }

    private typealias MarkedJob = (id: JobID, isWaiting: Bool, effect: Int?)

    /// The jobs in flight, oldest first, each with the mark of its effect.
    private var jobs: [MarkedJob] {
        (store?.placedJobs ?? []).map { ($0.id, $0.isWaiting, ($0.place as? MarkedExecutor)?.mark) }
    }

    /// Returns a choice as the step of a plan, in Swift: empty if the step before includes it, nil if plans have no such step.
    func source(of choice: Choice) throws(ExplorationFault) -> String? {
        // A plan handles the events that follow from a step in that step.
        if hasFollowUps || choice.isHeld { return nil }
        // It also runs what is due at once in the step that has scheduled it.
        if isDue { return choice == .time ? "" : nil }
        switch choice {
        case .event(let number):
            let events = offers.events
            return events.indices.contains(number)
                ? ".when(\(SwiftSource.of(events[number])))" : nil
        case .answer(let number, let outcome):
            let calls = try openCalls()
            guard calls.indices.contains(number), calls[number].outcomes.indices.contains(outcome) else { return nil }
            let record = calls[number].record
            let equal = log.records.filter { $0.name == record.name && $0.description == record.description }
            let place = equal.firstIndex { $0 === record }.map { $0 + 1 }
            return calls[number].outcomes[outcome].source(number: equal.count > 1 ? place : nil)
        case .time:
            guard let next = scheduler.agenda.first?.time else { return nil }
            return ".advance(by: \(SwiftSource.source(of: scheduler.now.distance(to: next).duration)))"
        case .cancel, .end, .followUps, .held: return nil
        }
    }

    /// A choice in the terms of the coverage.
    enum Covered {
        case event(String)
        case outcome(call: String, String)
    }

    /// Returns a choice in the terms of the coverage; nil if the coverage does not count it.
    func covered(_ choice: Choice) throws(ExplorationFault) -> Covered? {
        switch choice {
        case .event(let number):
            let events = offers.events
            return events.indices.contains(number) ? .event(enumCase(of: events[number]) ?? "any") : nil
        case .answer(let number, let outcome):
            let calls = try openCalls()
            guard calls.indices.contains(number), calls[number].outcomes.indices.contains(outcome) else { return nil }
            return .outcome(call: calls[number].record.name, calls[number].outcomes[outcome].outcomeTitle)
        case .held(let choice): return try covered(choice)
        case .time, .followUps, .cancel, .end: return nil
        }
    }

    /// The cases of the effects of the last choice, if the coverage needs them.
    var effects: [String] { notes.effects }

    /// Returns the description of a choice in a trace; nil if there is no such choice.
    func title(of choice: Choice) throws(ExplorationFault) -> String? {
        switch choice {
        case .event(let number):
            let events = offers.events
            return events.indices.contains(number) ? "When \(ValueText.describe(events[number]))" : nil
        case .answer(let number, let outcome):
            let calls = try openCalls()
            guard calls.indices.contains(number), calls[number].outcomes.indices.contains(outcome) else { return nil }
            return calls[number].outcomes[outcome].title
        case .time:
            if isDue { return "What is due at once" }
            return scheduler.agenda.first.map { "After \(scheduler.now.distance(to: $0.time).duration)" }
        case .cancel(let number):
            guard notes.life.effects.indices.contains(number) else { return nil }
            return "The effect of \(notes.life.effects[number].event) is cancelled"
        case .end: return hasEnded ? nil : "The loop is cancelled"
        case .followUps:
            let events = notes.followUps.map { ValueText.describe($0) }
            return events.isEmpty ? nil : "What follows: \(events.joined(separator: ", "))"
        case .held(.followUps): return notes.followUps.first.map { "What follows first: \(ValueText.describe($0))" }
        case .held(let choice): return try title(of: choice).map { "\($0), and what follows waits" }
        }
    }

    /// Makes a choice, and runs everything that follows from it, up to closures of the scheduler, which wait for a choice. So do
    /// events that follow from it, if it is held, or if others wait.
    ///
    /// - Returns: False if there is no such choice; the play must then be discarded.
    @discardableResult
    func make(_ choice: Choice) throws(ExplorationFault) -> Bool {
        let before = (
            marks: notes.life.effects.map(\.mark), timers: timers.map(\.effect), steps: notes.steps, jobs: jobs.map(\.effect),
            followUps: notes.followUps.count, misses: notes.life.misses
        )
        notes.begin()
        guard try perform(choice) else { return false }
        wasIdle =
            notes.shown.isEmpty && notes.life.effects.map(\.mark) == before.marks && notes.followUps.count == before.followUps
        wasSilent =
            wasIdle && notes.steps == before.steps && timers.map(\.effect) == before.timers
            && jobs.map(\.effect) == before.jobs && notes.life.misses == before.misses
        return true
    }

    /// Makes a choice that was made before, in another play.
    ///
    /// - Returns: False if there is no such choice.
    func repeatChoice(_ choice: Choice) throws(ExplorationFault) -> Bool {
        notes.begin()
        return try perform(choice)
    }

    private func perform(_ choice: Choice, isHeld: Bool = false) throws(ExplorationFault) -> Bool {
        // What follows from the choice comes behind what waits already.
        notes.holdsFollowUps = isHeld || hasFollowUps
        isOvertaken = isOvertaken || hasFollowUps && choice.plain != .followUps
        defer {
            notes.holdsFollowUps = false
            isOvertaken = isOvertaken && hasFollowUps
        }
        switch choice {
        case .held(let choice): return try perform(choice, isHeld: true)
        case .followUps:
            guard let store, hasFollowUps else { return false }
            notes.mayBeHeld = notes.followUps.count > 1
            repeat {
                let event = notes.followUps.removeFirst()
                perform { _ = store.send(event) }
            } while !isHeld && hasFollowUps && !isEndless
        case .event(let number):
            let offers = offers
            guard offers.events.indices.contains(number), let store else { return false }
            eventsSent = offers.sent(after: number, eventsSent)
            notes.offered = offers.numbers.isEmpty ? number : offers.numbers[number]
            perform { _ = store.send(offers.events[number]) }
        case .answer(let number, let outcome):
            guard let call = openCall(number) else { return false }
            let effect = call.effect
            let endsOnly = effect.valuesSent[call.number, default: 0] >= call.rule.mostValues
            // Noted first, since the outcome's consequences may read it.
            effect.received.append(.outcome(call: call.number, outcome))
            var staysOpen: Bool?
            perform { effect.executor.run { staysOpen = call.rule.give(call.record, outcome, endsOnly) } }
            guard let staysOpen else { return false }
            if staysOpen { effect.valuesSent[call.number, default: 0] += 1 }
        case .time:
            let timers = timers
            guard let next = timers.first?.time else { return false }
            for effect in notes.life.effects {
                let due = timers.filter { $0.time == next && $0.effect == effect.mark }
                if !due.isEmpty { effect.received.append(.time(due.map { number(of: $0, in: timers) })) }
            }
            perform {
                // Not what these closures schedule, even if it is due at the same time.
                for _ in timers.prefix(while: { $0.time == next }) where scheduler.agenda.first?.time == next {
                    scheduler.run(limit: 1)
                }
            }
        case .cancel(let number):
            guard notes.life.effects.indices.contains(number) else { return false }
            let effect = notes.life.effects[number]
            perform { effect.executor.run { effect.cancellation?.send() } }
        case .end:
            if hasEnded { return false }
            hasEnded = true
            perform { store?.cancel() }
        }
        return true
    }
}
