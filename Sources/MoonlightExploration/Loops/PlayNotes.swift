import Moonlight
import MoonlightTesting
import Streams

/// The observations of a running play.
///
/// The loop calls it at each step, so its methods are inlinable: they are compiled in the caller's module, where the types
/// are known.
@usableFromInline
final class PlayNotes<State, Event, Effect>: @unchecked Sendable {
    // Sound: used by the one thread of the play.
    /// The states that observers have seen since the last choice; initially the first one.
    @exclusivity(unchecked) @usableFromInline var shown: [State] = []
    /// The last state that observers have seen.
    @exclusivity(unchecked) @usableFromInline var state: State
    /// The rejections since the last choice.
    private(set) var refusals: [Refusal] = []
    /// The records of rules since the last choice.
    private(set) var rules: [RuleRecord] = []
    let life: EffectLife
    /// The number of steps of the loop so far, and at the last choice.
    @exclusivity(unchecked) @usableFromInline var steps = 0
    @exclusivity(unchecked) @usableFromInline var stepsBefore = 0
    @usableFromInline let most: Int
    /// True if the last choice has caused an endless chain of events.
    @inlinable var isEndless: Bool { steps - stepsBefore > most }
    /// The number of the event from outside that is the last choice, among those that are possible in its state.
    var offered: Int?
    /// The events that follow from effects and wait, in order.
    @exclusivity(unchecked) var followUps: [Event] = []
    /// True if events that follow from effects wait, instead of being handled at once.
    @exclusivity(unchecked) var holdsFollowUps = false
    /// True if other choices may come before events that have followed from the last choice.
    @exclusivity(unchecked) var mayBeHeld = false
    /// Ends the loop.
    @usableFromInline var stop: () -> Void = {}
    private let key: (State) -> AnyHashable
    private let eventKey: (Event) -> AnyHashable

    /// The cases of the effects of the last choice, if the coverage needs them.
    private(set) var effects: [String] = []
    @usableFromInline let notesEffects: Bool

    init(
        _ state: State, key: @escaping (State) -> AnyHashable, eventKey: @escaping (Event) -> AnyHashable, _ life: EffectLife,
        most: Int,
        notesEffects: Bool
    ) {
        self.state = state
        self.key = key
        self.eventKey = eventKey
        self.life = life
        self.most = most
        self.notesEffects = notesEffects
    }

    /// Discards the records of the last choice.
    func begin() {
        (shown, refusals, rules, effects, stepsBefore, mayBeHeld, offered) = ([], [], [], [], steps, false, nil)
    }

    /// Returns those of the events that follow from an effect which are handled at once.
    @usableFromInline
    func handledAtOnce(_ events: [Event]) -> [Event] {
        // While feedback is bound, the loop cannot be ended yet.
        if isEndless { return [] }
        mayBeHeld = true
        if !holdsFollowUps { return events }
        followUps += events
        return []
    }

    /// Records a state that observers have seen.
    @inlinable
    func show(_ state: State) {
        self.state = state
        shown.append(state)
    }

    /// Marks each stream of effects.
    @usableFromInline
    var marks: EffectMarks<State, Event> {
        EffectMarks { event, state in
            let (event, state) = (self.origin(event), self.key(state))
            return { part in self.life.begin(event, state, part: part) }
        }
    }

    /// Returns the key of the event of an effect. An event from outside, the first of its choice, is also distinguished by its
    /// number if its parts do not suffice.
    private func origin(_ event: Event) -> AnyHashable {
        let key = eventKey(event)
        guard let offered, steps == stepsBefore + 1, var value = key.base as? DistinctValue, value.isOpaque else { return key }
        value.number = offered
        return AnyHashable(value)
    }

    /// Records the steps of the loop.
    @inlinable var journal: @Sendable (JournalRecord<State, Event, Effect>) -> Void { { self.note($0) } }

    @inlinable
    func note(_ record: JournalRecord<State, Event, Effect>) {
        steps += 1
        if isEndless { return stop() }
        switch record.step {
        case .rejected(let event, let error): refuse("the event", event, error)
        case .effectRejected(let effect, let error): refuse("the effect", effect, error)
        case .effect(let effect, _, _): if notesEffects { note(effect) }
        case .rule(let rule): note(rule)
        case .job(let job): if case .refused(let error) = job.step { refuse("the job", job.id, error) }
        default: break
        }
    }

    @usableFromInline
    func refuse(_ kind: String, _ what: Any, _ error: any Error) {
        refusals.append(Refusal(what: "\(kind) \(ValueText.describe(what))", error: error))
    }

    @usableFromInline func note(_ rule: RuleRecord) { rules.append(rule) }

    @usableFromInline func note(_ effect: Effect) { effects.append(enumCase(of: effect) ?? "any") }

    /// Returns an event of feedback if it is handled at once; nil if it waits.
    var following: @Sendable (Event) -> Event? { { self.handledAtOnce([$0]).first } }

    /// Returns a closure that records each state that feedback, an effect, receives.
    func receiving(_ effect: LiveEffect) -> @Sendable (State) -> Void {
        {
            if self.life.marksReactions { effect.received = [] }
            effect.received.append(.state(self.key($0)))
        }
    }
}

/// An event or effect that was rejected.
struct Refusal {
    let what: String
    let error: any Error
}
