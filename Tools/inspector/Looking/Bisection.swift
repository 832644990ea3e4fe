import MoonlightRecording

/// The question after which step a predicate holds, in the words of `moonlight find`.
package struct Bisection: Equatable, Sendable {
    /// What was found.
    package struct Answer: Equatable, Sendable {
        /// The number of the step after which it holds, and not before.
        package let number: Int
        /// How many states were looked at.
        package let looks: Int
        /// Whether it holds at the end, so that the step was found by halves. Otherwise it is the first step after which it holds.
        package let holdsAtEnd: Bool

        package init(number: Int, looks: Int, holdsAtEnd: Bool) {
            self.number = number
            self.looks = looks
            self.holdsAtEnd = holdsAtEnd
        }
    }

    package let steps: Steps
    package let predicate: StatePredicate

    package init(steps: Steps, predicate: StatePredicate) {
        self.steps = steps
        self.predicate = predicate
    }

    /// Looks for the step.
    ///
    /// If the predicate holds at the end, some twenty states of a million are looked at. If not, halving would not lead anywhere, and
    /// all are, from the beginning on.
    ///
    /// - Returns: What was found; nil if it holds after no step, or if the task is cancelled.
    package func run() throws(RecordingError) -> Answer? {
        if steps.isEmpty { return nil }
        var looks = 0
        /// Whether it holds after the step at an index; the one before the first stands for the beginning.
        func holds(_ index: Int) throws(RecordingError) -> Bool {
            looks += 1
            let number = index < 0 ? steps.number(at: 0) - 1 : steps.number(at: index)
            return try steps.reader.state(at: number).map(predicate.holds) ?? false
        }
        var (low, high) = (-1, steps.count - 1)
        guard try holds(high) else { return try first(looks) }
        if try holds(low) { return Answer(number: steps.number(at: 0), looks: looks, holdsAtEnd: true) }
        // It does not hold after `low`, and holds after `high`.
        while high - low > 1 {
            if Task.isCancelled { return nil }
            let middle = low + (high - low) / 2
            if try holds(middle) { high = middle } else { low = middle }
        }
        return Answer(number: steps.number(at: high), looks: looks, holdsAtEnd: true)
    }

    private func first(_ before: Int) throws(RecordingError) -> Answer? {
        var (found, looks): (Int?, Int) = (nil, before)
        // swift-format-ignore: ReplaceForEachWithForLoop
        try steps.reader.forEach { (step, state) throws(RecordingError) in
            looks += 1
            if looks % 256 == 0, Task.isCancelled { return false }
            guard var after = state else { return true }
            for change in step.changes { after.apply(change) }
            if predicate.holds(in: after) { found = step.number }
            return found == nil
        }
        return found.map { Answer(number: $0, looks: looks, holdsAtEnd: false) }
    }
}
