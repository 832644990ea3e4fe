/// A feature that is absent or in one of its states, and that is changed by guarded verbs such as `initialize` and `transition`.
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
/// A verb whose guard fails throws a ``Rejection`` with the name of the feature, the expected and the actual state, and the
/// line in the source. The loop records it in the journal and leaves the state unchanged. In `transform`, the same guards
/// decide about an event: see ``after(_:)`` and `require`. The idea is from UniFlow.
public struct Slot<State: Equatable> {
    /// The state; nil while the feature is absent.
    ///
    /// Setting it has the effect of the verb that leads to the new value, without a guard. This is how the effects of a child
    /// change it, if a reducer is scoped to it.
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

    /// The state, set without the bookkeeping of `state`.
    var stored: State?
    /// The number of times that the feature has ended. Distinguishes a feature that ended and was initialized again from one that
    /// stayed.
    var endings = 0
    /// The number of times that the feature has reentered its state. Distinguishes a transition into the same state from an
    /// actualization.
    var entries = 0

    /// Creates an absent feature.
    public init() {}

    /// Creates a feature in a state.
    public init(_ state: State) { stored = state }

    /// True if the feature is present, in any state.
    public var isPresent: Bool { stored != nil }

    /// The associated value of the current state, if it is the given case; otherwise nil.
    public subscript<Part>(_ expected: CasePath<State, Part>) -> Part? { stored.flatMap(expected.extract) }

    /// The name of the feature: its ``StatusReporting/title`` if it has one, otherwise the name of its type.
    static var name: String { (State.self as? any StatusReporting.Type)?.title ?? String(describing: State.self) }

    /// Returns whether two states are the same case, with any associated values. All values of a type that is not an enum are the
    /// same case.
    static func isSameCase(_ one: State, _ other: State) -> Bool {
        let (mirror, otherMirror) = (Mirror(reflecting: one), Mirror(reflecting: other))
        guard mirror.displayStyle == .enum else { return true }
        let (label, otherLabel) = (mirror.children.first?.label, otherMirror.children.first?.label)
        // A case without associated values has no label; two such cases are the same if they are equal.
        return label == nil && otherLabel == nil ? one == other : label == otherLabel
    }
}

extension Slot: Equatable {
    /// Returns whether both slots are absent, or have equal states and have ended and reentered their states equally often.
    ///
    /// So a slot that reenters its state, or that ends and is initialized again, differs from the slot before, even if its
    /// state is equal. Otherwise the loop would not see a change, and neither would rules. Equal slots have changed
    /// in the same way. To compare only the states, as in most tests, compare ``state``.
    public static func == (one: Slot, other: Slot) -> Bool {
        guard one.stored == other.stored else { return false }
        return one.stored == nil || one.endings == other.endings && one.entries == other.entries
    }
}

extension Slot: Hashable where State: Hashable {
    /// Hashes the state, and not how often it was left or reentered.
    public func hash(into hasher: inout Hasher) { hasher.combine(stored) }
}

extension Slot: Sendable where State: Sendable {}

extension Slot: CustomStringConvertible, CustomReflectable {
    /// The description of the state, or `absent`.
    public var description: String { stored.map { "\($0)" } ?? "absent" }

    /// A mirror with the state, if there is one.
    public var customMirror: Mirror {
        Mirror(self, children: stored.map { [("state", $0)] } ?? [], displayStyle: .optional)
    }
}
