import Moonlight
import Streams

/// The world in which a plan runs: a loop, virtual time, the calls that were made, and a journal of the current step.
///
/// A world is used only by the thread that runs the plan.
final class PlanWorld<State: Equatable, Event, Effect> {
    /// A rejection of the event that a step sent, or of an event or effect that followed from it.
    struct Refusal {
        let isTheEvent: Bool
        let what: String
        let error: any Error
    }

    let journal = PlanJournal<State, Event, Effect>()
    let scheduler = VirtualTimeScheduler()
    let executor: ManualExecutor
    private(set) var log = CallLog()
    private var running: Store<State, Event>?
    /// True if streams may be alive, and calls pending, at the end.
    var mayBeAlive = false
    /// True if the environment may be retained after the end.
    var mayBeHeld = false
    /// True if events and effects may be rejected.
    var mayRefuse = false
    /// The values of steps of another module, such as the screen of a program.
    var attachment: Any?
    /// The number of calls that had been made when the step began.
    private var callsBefore = 0
    /// True once a step has acted.
    private var hasActed = false

    var stubs: Stubs { Stubs(scheduler: scheduler, log: log) }

    /// Creates a world at its beginning.
    init(_ blueprint: Blueprint<State, Event, Effect>) {
        executor = ManualExecutor(scheduler)
        perform { running = blueprint.start(self) }
    }

    var store: Store<State, Event> {
        guard let running else {
            preconditionFailure("the plan has ended, and its loop is released")
        }
        return running
    }

    var state: State { store.state }

    /// The jobs and reactions that are in flight.
    var inFlight: [WorkInFlight] {
        (store.jobs + store.reactions).compactMap { work in
            switch work.kind {
            case .effects: return nil
            case .job(let id, _):
                // A job's description is the path, a slash, and the id in the child.
                let name = id.description
                let localName = work.path.isRoot ? name : String(name.dropFirst(work.path.description.count + 1))
                return WorkInFlight(path: work.path, name: name, localName: localName)
            case .reaction(let key): return WorkInFlight(path: work.path, name: key, localName: key)
            }
        }
    }

    // MARK: Steps

    /// Discards the records and calls of the previous step.
    func beginStep() {
        hasActed = true
        journal.records = []
        callsBefore = log.records.count
    }

    /// Runs a closure, and everything that follows from it at the same virtual time.
    func perform(_ act: () -> Void) {
        TaskPlace.$executor.withValue(executor) {
            act()
            scheduler.advance(by: 0)
        }
    }

    /// Sends an event.
    ///
    /// - Returns: The rejections of the event and of everything that followed from it.
    func send(_ event: Event) throws -> [Refusal] {
        var isTaken = false
        perform { if case .success = store.send(event) { isTaken = true } }
        guard isTaken else { throw PlanFault("\(event) was not accepted: the loop has ended") }
        return refusals(afterSending: true)
    }

    func advance(by duration: Duration) { perform { scheduler.advance(by: duration) } }

    private func refusals(afterSending: Bool) -> [Refusal] {
        // The first event of the step is the sent one.
        let sent = afterSending ? journal.records.first { if case .event = $0.step { true } else { false } }?.number : nil
        return journal.records.compactMap { record in
            switch record.step {
            case .rejected(let event, let error):
                let isTheEvent = sent != nil && record.cause == sent
                return Refusal(isTheEvent: isTheEvent, what: "the event \(ValueText.describe(event))", error: error)
            case .effectRejected(let effect, let error):
                return Refusal(isTheEvent: false, what: "the effect \(ValueText.describe(effect))", error: error)
            case .job(let job):
                guard case .refused(let error) = job.step else { return nil }
                let isTheEvents = sent != nil && record.cause == sent
                return Refusal(isTheEvent: isTheEvents, what: "the job \(job.id)", error: error)
            default: return nil
            }
        }
    }

    /// Throws if an event, effect or job was rejected in a step that sends no event.
    func checkRefusals() throws {
        if mayRefuse { return }
        if let first = refusals(afterSending: false).first {
            throw PlanFault("\(first.what) was rejected: \(located(first.error))")
        }
    }

    /// Throws if an event of feedback, or an effect that followed from it, was rejected before the first step that acts.
    func checkBeginning() throws { if !hasActed { try checkRefusals() } }

    // MARK: Results of the step

    var effectsOfStep: [Effect] {
        journal.records.compactMap { if case .effect(let effect, _, _) = $0.step { effect } else { nil } }
    }

    /// The states before and after the step; nil if no effect was applied.
    var changeOfStep: (State, State)? {
        var change: (State, State)?
        for record in journal.records {
            if case .effect(_, let before, let after) = record.step { change = (change?.0 ?? before, after) }
        }
        return change
    }

    /// The rules that matched in the step and did not fire, each with its reason.
    var blockedRulesOfStep: [String] {
        journal.records.compactMap { if case .rule(let rule) = $0.step { rule.obstacle } else { nil } }
    }

    /// The states that observers have seen in the step.
    var statesOfStep: [State] {
        journal.records.compactMap { if case .effect(_, _, let after) = $0.step { after } else { nil } }
    }

    /// True if no stream of effects is alive and no timer is pending.
    var hasNothingAlive: Bool { store.liveEffects == 0 && scheduler.pending == 0 }

    /// The changes of the state in the step, one line per field.
    var changesOfStep: [String] { changeOfStep.map { Differences.change(from: $0, to: $1) } ?? [] }

    /// The descriptions of the calls that were made in the step.
    var callsOfStep: [String] { log.records.dropFirst(callsBefore).map(\.description) }

    // MARK: Calls

    /// The calls that the plan has not accounted for.
    var unassertedCalls: [CallRecord] { log.records.filter { !$0.isAsserted } }

    func list(_ calls: [CallRecord]) -> String { calls.map(\.description).joined(separator: ", ") }

    /// Returns the message that a call was not made, with the calls that were made.
    func absence<Input, Output, Failure>(of call: StubCall<Input, Output, Failure>, doing what: String) -> String {
        let others = unassertedCalls
        let alike = others.compactMap { $0 as? CallRecordOf<Input, Output, Failure> }.filter {
            $0.name == call.stub.name
        }
        var lines = ["\(call) \(what), but it was not called"]
        if let other = alike.first {
            lines += Differences.failure("the argument", expected: call.input, got: other.input)
        }
        lines.append(others.isEmpty ? "There were no unexpected calls" : "The unexpected calls are: \(list(others))")
        return (lines + workLeft.hints).joined(separator: "\n")
    }

    /// The work that is left.
    var workLeft: WorkLeft {
        let timers = scheduler.agenda
        let repeating = timers.count { $0.interval != nil }
        let cancelled = log.records.filter { $0.state == .cancelled && $0.isAwaited }
        return WorkLeft(
            jobs: store.jobs.compactMap { if case .job(let id, _) = $0.kind { id.description } else { nil } },
            reactions: store.reactions.compactMap { if case .reaction(let key) = $0.kind { key } else { nil } },
            streams: store.liveEffects, calls: log.records.filter { $0.state == .waits }.map(\.description),
            cancelledCalls: cancelled.map(\.description), timers: timers.count - repeating, repeating: repeating,
            nextTimer: timers.first.map { scheduler.now.distance(to: $0.time).duration })
    }

    // MARK: The end

    /// Checks that nothing is left over, and ends the world.
    func end() throws {
        try checkBeginning()
        try checkCalls()
        if !mayBeAlive { try checkLife() }
        try tearDown()
    }

    /// Throws if a call was made that the plan has not accounted for.
    private func checkCalls() throws {
        guard let call = unassertedCalls.first else { return }
        let step =
            switch call.state {
            case .waits: ".resolve(\(call.source), with: …), .fail(\(call.source), with: …)"
            case .answered: ".expect(\(call.source))"
            case .cancelled: ".cancelled(\(call.source))"
            }
        throw PlanFault(
            """
            \(call.description) was called, but no step mentions it; it \(call.state.description)
            Write \(step) or, if it does not matter, .ignoringCalls(of: "\(call.name)")
            """)
    }

    /// Throws if anything is still in flight.
    private func checkLife() throws { if let message = workLeft.messageAtEnd { throw PlanFault(message) } }

    /// Cancels the loop, and throws if any part of it stays alive.
    private func tearDown() throws {
        perform { running?.cancel() }
        journal.records = []
        let (logLink, storeLink) = (WeakLink(log), WeakLink(running))
        let waits = log.records.contains(where: \.isAwaited)
        guard scheduler.pending == 0 else {
            throw PlanFault("\(scheduler.pending) timers are still pending after everything was cancelled")
        }
        abandon()
        // A call that could not be cancelled, as it has no error to throw, still retains its continuation.
        if mayBeHeld || waits { return }
        if storeLink.object != nil {
            throw PlanFault("the loop is not released at the end: the test still retains it")
        }
        if logLink.object != nil {
            throw PlanFault(
                """
                the environment is not released at the end: a stream, a task or a closure still retains it
                Look for a cycle of references or, if it does not matter, write .ignoringRelease()
                """)
        }
    }

    /// Releases the loop and the calls.
    func abandon() { (log, running) = (CallLog(), nil) }
}

/// The journal records of the current step.
final class PlanJournal<State, Event, Effect>: @unchecked Sendable {
    // Sound: the loop runs only on the plan's thread.
    var records: [JournalRecord<State, Event, Effect>] = []
    /// Receives each record, for steps of another module.
    var observer: ((JournalRecord<State, Event, Effect>) -> Void)?

    /// Appends a record.
    var take: @Sendable (JournalRecord<State, Event, Effect>) -> Void {
        { record in
            self.records.append(record)
            self.observer?(record)
        }
    }
}

/// A weak reference that shows whether an object was released.
private struct WeakLink {
    weak var object: AnyObject?
    init(_ object: AnyObject?) { self.object = object }
}
