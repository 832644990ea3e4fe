import Moonlight
import MoonlightTesting
import Streams
import SwiftText

/// What a play notes while it runs.
///
/// The loop calls it at each step, so what it calls is inlinable: it is compiled where the exploration is, where the types are
/// known.
@usableFromInline
final class PlayNotes<State, Event, Effect>: @unchecked Sendable {
    // Sound: used by the one thread of the play.
    /// The states that observers have seen since the last choice; at first, the initial one.
    @exclusivity(unchecked) @usableFromInline var shown: [State] = []
    /// The last state that observers have seen.
    @exclusivity(unchecked) @usableFromInline var state: State
    /// What has been rejected since the last choice.
    private(set) var refusals: [Refusal] = []
    let life: EffectLife
    /// The number of steps of the loop so far, and at the last choice.
    @exclusivity(unchecked) @usableFromInline var steps = 0
    @exclusivity(unchecked) @usableFromInline var stepsBefore = 0
    @usableFromInline let most: Int
    /// Whether the last choice has led to events without end.
    @inlinable var isEndless: Bool { steps - stepsBefore > most }
    /// Ends the loop.
    @usableFromInline var stop: () -> Void = {}
    private let key: (State) -> AnyHashable
    private let eventKey: (Event) -> AnyHashable

    /// The cases of the effects of the last choice, if they are asked for.
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

    /// Forgets what has been noted of the last choice.
    func begin() { (shown, refusals, effects, stepsBefore) = ([], [], [], steps) }

    /// Notes a state that observers see.
    @inlinable
    func show(_ state: State) {
        self.state = state
        shown.append(state)
    }

    /// Marks each stream of effects.
    @usableFromInline
    var marks: EffectMarks<State, Event> {
        EffectMarks { event, state in
            let (event, state) = (self.eventKey(event), self.key(state))
            return { part in self.life.begin(event, state, part: part) }
        }
    }

    /// Notes the steps of the loop.
    @inlinable var journal: @Sendable (JournalRecord<State, Event, Effect>) -> Void { { self.note($0) } }

    @inlinable
    func note(_ record: JournalRecord<State, Event, Effect>) {
        steps += 1
        if isEndless { return stop() }
        switch record.step {
        case .rejected(let event, let error): refuse("the event", event, error)
        case .effectRejected(let effect, let error): refuse("the effect", effect, error)
        case .effect(let effect, _, _): if notesEffects { note(effect) }
        default: break
        }
    }

    @usableFromInline
    func refuse(_ kind: String, _ what: Any, _ error: any Error) {
        refusals.append(Refusal(what: "\(kind) \(ValueText.describe(what))", error: error))
    }

    @usableFromInline func note(_ effect: Effect) { effects.append(caseName(of: effect) ?? "any") }

    /// Notes each state that an effect, which is feedback, is told.
    func telling(_ effect: LiveEffect) -> @Sendable (State) -> Void {
        {
            if self.life.marksReactions { effect.received = [] }
            effect.received.append(.state(self.key($0)))
        }
    }
}

/// An event or effect that was refused.
struct Refusal {
    let what: String
    let error: any Error
}
