import Streams

/// Counts the events that follow each other without anything from outside, and finds out which of them repeat.
@usableFromInline
struct StepCounter {
    @usableFromInline let limit: Int
    @usableFromInline private(set) var steps = 0
    /// The names of the last events before the limit.
    private var names: [String] = []

    @usableFromInline
    init(limit: Int) { self.limit = limit }

    /// Something has come from outside.
    @inlinable
    mutating func reset() { if steps != 0 { start() } }

    @usableFromInline
    mutating func start() { (steps, names) = (0, []) }

    /// How many of the last events are looked at for what repeats.
    @usableFromInline static var memory: Int { 64 }

    /// Counts an event.
    ///
    /// - Returns: A report when the limit is reached, once until something has come from outside.
    @inlinable
    mutating func count<Event>(_ event: Event) -> Runaway? {
        steps += 1
        return steps > limit - Self.memory && steps <= limit ? remember(event, isLimit: steps == limit) : nil
    }

    @usableFromInline
    mutating func remember<Event>(_ event: Event, isLimit: Bool) -> Runaway? {
        names.append(Self.name(of: event))
        guard isLimit else { return nil }
        defer { names = [] }
        return Runaway(steps: steps, chain: Self.period(of: names))
    }

    /// The name of a case, without what it carries.
    private static func name(of event: some Any) -> String {
        let mirror = Mirror(reflecting: event)
        if mirror.displayStyle == .enum, let label = mirror.children.first?.label { return label }
        return String(String(describing: event).prefix { $0 != "(" })
    }

    /// The shortest beginning of which a list is a repetition.
    private static func period(of names: [String]) -> [String] {
        for length in 1..<max(names.count, 2) where names.indices.allSatisfy({ names[$0] == names[$0 % length] }) {
            return Array(names.prefix(length))
        }
        return names
    }
}

/// A loop that keeps itself busy without anything from outside: most likely two rules that answer each other.
public struct Runaway: Sendable, Hashable, CustomStringConvertible {
    /// How many events have followed each other.
    public let steps: Int
    /// The names of the events that repeat, in order.
    public let chain: [String]

    /// The number, and the chain with arrows.
    public var description: String {
        "\(steps) events without input, repeating \(chain.joined(separator: " -> "))"
    }

    /// How often a thread looks for more that it has brought itself before it says so, where no limit of steps is set.
    @usableFromInline static var manyRounds: Int { 1_000_000 }

    @usableFromInline
    static func warn(of event: Any.Type, isLimited: Bool) {
        if isLimited { return }
        printWarning(
            "Moonlight: a loop of \(event) has gone on for \(manyRounds) steps without anything from outside. Does its feedback answer "
                + "its own states? LoopOptions.stepLimit says which events repeat, and endsRunaway ends such a loop.")
    }
}
