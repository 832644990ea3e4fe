import Streams

/// Counts events that follow each other without input from outside, and finds the ones that repeat.
@usableFromInline
struct StepCounter {
    let limit: Int
    @usableFromInline var steps = 0
    /// The names of the last events before the limit.
    @usableFromInline var names: [String] = []

    @usableFromInline
    init(limit: Int) { self.limit = limit }

    /// Restarts the count, because of input from outside.
    @inlinable
    mutating func reset() {
        if steps == 0 { return }
        steps = 0
        names = []
    }

    /// The number of the last events that are searched for a repetition.
    static var memory: Int { 64 }

    /// Counts an event.
    ///
    /// - Returns: A report when the limit is reached, once until the next reset.
    @usableFromInline
    mutating func count<Event>(_ event: Event) -> RunawayReport? {
        steps += 1
        guard steps > limit - Self.memory, steps <= limit else { return nil }
        names.append(caseName(of: event))
        guard steps == limit else { return nil }
        defer { names = [] }
        return RunawayReport(steps: steps, chain: Self.period(of: names))
    }

    /// Returns the shortest prefix whose repetition is the list.
    private static func period(of names: [String]) -> [String] {
        let length = (1..<max(names.count, 2)).first { length in names.indices.allSatisfy { names[$0] == names[$0 % length] } }
        return Array(names.prefix(length ?? names.count))
    }
}

extension RunawayReport {
    /// The number of rounds of mail in one turn after which a loop without a step limit is reported.
    @usableFromInline static var manyRounds: Int { 1_000_000 }

    /// Warns on the standard error of a loop of this type of event that keeps itself busy, unless it has a step limit.
    @usableFromInline
    static func warn(of event: Any.Type, isLimited: Bool) {
        if isLimited { return }
        printWarning(
            "Moonlight: a loop of \(event) has run for \(manyRounds) steps without input from outside. Does its feedback answer "
                + "its own states? Set LoopOptions.stepLimit to see the repeated events, and cancelsRunaway to end such a loop.")
    }
}
