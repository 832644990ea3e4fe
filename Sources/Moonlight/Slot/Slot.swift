/// A feature that is absent or in one of its states, changed by verbs that are guarded.
///
/// ```swift
/// enum Download: Equatable { case starting, running(Progress), done }
///
/// extension CasePath where Whole == Download, Part == Void {
///     static var starting: CasePath { CasePath(.starting) { $0 == .starting } }
/// }
/// extension CasePath where Whole == Download, Part == Progress {
///     static var running: CasePath { CasePath(Download.running) { if case .running(let progress) = $0 { progress } else { nil } } }
/// }
///
/// struct Model: Equatable { var download = Slot<Download>() }
///
/// apply: { model, effect in
///     switch effect {
///     case .started: try model.download.initialize(.starting)
///     case .advanced(let percent): try model.download.actualize(.running) { $0.percent = percent }
///     case .finished: try model.download.transition(from: .running, into: .done)
///     }
/// }
/// ```
/// A guard that does not hold throws a ``Rejection`` which names the feature, what was expected, what it was, and the source
/// line; the loop writes it into the journal and leaves the state alone. In `transform` the same guards decide about an
/// event: see ``after(_:)`` and `require`. The idea is UniFlow's.
public struct Slot<State: Equatable> {
    /// The state; nil while the feature is absent.
    ///
    /// To set it is to do whatever verb leads there, without a guard: that is how a child's own effects change it, where a
    /// reducer is scoped to it.
    public var state: State? {
        get { stored }
        set {
            switch (stored, newValue) {
            case (nil, nil): break
            case (nil, .some): entries = 0
            case (.some, nil): endings += 1
            case (let old?, let new?): if !Self.isSameCase(old, new) { entries = 0 }
            }
            stored = newValue
        }
    }

    var stored: State?
    /// How often the feature has ended: tells one that began anew from one that was there before.
    var endings = 0
    /// How often the feature has entered its state anew: tells a transition into the same state from an actualization.
    var entries = 0

    /// An absent feature.
    public init() {}

    /// A feature in a state.
    public init(_ state: State) { stored = state }

    /// Whether the feature is there, in whichever state.
    public var isPresent: Bool { stored != nil }

    /// What the current state carries, if it is this one.
    public subscript<Part>(_ expected: CasePath<State, Part>) -> Part? { stored.flatMap(expected.extract) }

    /// What the feature is called: its ``StatusReporting/title`` if it has one, else the name of its type.
    static var name: String { (State.self as? any StatusReporting.Type)?.title ?? String(describing: State.self) }

    /// Whether two states differ only in what they carry. All values of a type that is no enum are one state.
    static func isSameCase(_ one: State, _ other: State) -> Bool {
        let (mirror, otherMirror) = (Mirror(reflecting: one), Mirror(reflecting: other))
        guard mirror.displayStyle == .enum else { return true }
        let (label, otherLabel) = (mirror.children.first?.label, otherMirror.children.first?.label)
        // Cases that carry nothing have no label, and are the same only if they are equal.
        return label == nil && otherLabel == nil ? one == other : label == otherLabel
    }
}

extension Slot: Equatable {
    /// Whether both are absent, or are in equal states that they have come into alike: without an end, or a new entry into the same
    /// state, that only one of them has had.
    ///
    /// A slot that enters its state anew, or that ends and begins anew, so differs from what it was before, even if its state is equal.
    /// Otherwise the loop would take that for no change, and no rule would see it. Equal slots give the same ``SlotChange``s. Where
    /// only the state counts, as in most tests, compare ``state``.
    public static func == (one: Slot, other: Slot) -> Bool {
        guard one.stored == other.stored else { return false }
        return one.stored == nil || one.endings == other.endings && one.entries == other.entries
    }
}

extension Slot: Hashable where State: Hashable {
    /// Hashes the state.
    public func hash(into hasher: inout Hasher) { hasher.combine(stored) }
}

extension Slot: Sendable where State: Sendable {}

extension Slot: CustomStringConvertible, CustomReflectable {
    /// The state, described, or `absent`.
    public var description: String { stored.map { "\($0)" } ?? "absent" }

    /// The state, if there is one.
    public var customMirror: Mirror {
        Mirror(self, children: stored.map { [("state", $0)] } ?? [], displayStyle: .optional)
    }
}
