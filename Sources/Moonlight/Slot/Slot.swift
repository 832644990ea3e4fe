/// A feature that is absent or in one of its states, changed by verbs that are guarded.
///
/// ```swift
/// enum Download: Equatable {
///     case starting, running(Progress), done
///     static let isStarting = Case(Download.starting) { $0 == .starting }
///     static let running = Case(Download.running) { if case .running(let progress) = $0 { progress } else { nil } }
/// }
///
/// struct Model: Equatable { var download = Slot<Download>() }
///
/// apply: { model, effect in
///     switch effect {
///     case .started: try model.download.initialize(.starting)
///     case .advanced(let percent): try model.download.actualize(Download.running) { $0.percent = percent }
///     case .finished: try model.download.transition(from: Download.running, into: .done)
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
            case (nil, .some): lives += 1
            case (.some, nil): break
            case (let old?, let new?): if !Self.isSameCase(old, new) { entries += 1 }
            }
            stored = newValue
        }
    }

    var stored: State?
    /// How often it has been initialized: tells one that is new from one that was there before.
    var lives = 0
    /// How often it has come into a state since then: tells a transition from an actualization.
    var entries = 0

    /// An absent feature.
    public init() {}

    /// A feature in a state.
    public init(_ state: State) {
        stored = state
        lives = 1
    }

    /// Whether the feature is there, in whichever state.
    public var isPresent: Bool { stored != nil }

    /// What the current state carries, if it is this one.
    public subscript<Part>(_ expected: Case<State, Part>) -> Part? { stored.flatMap(expected.extract) }

    /// What the feature is called: its ``Status/title`` if it has one, else the name of its type.
    static var name: String { (State.self as? any Status.Type)?.title ?? String(describing: State.self) }

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
    /// Whether both are absent, or in equal states. How they came there makes no difference.
    public static func == (one: Slot, other: Slot) -> Bool { one.stored == other.stored }
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
