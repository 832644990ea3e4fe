import MoonlightRecording

/// A search through the steps of a recording, from one of them on, and from the other end up to it.
package struct StepSearch: Equatable, Sendable {
    /// What is searched for.
    package enum Target: Equatable, Sendable {
        /// A text in what happened, in the path of the child, or in what changed. Small letters also find capitals.
        case text(String)
        /// A step that another one has caused.
        case consequence(of: Int)
    }

    /// What was found.
    package struct Hit: Equatable, Sendable {
        package let number: Int
        /// Whether the search has gone on at the other end.
        package let isAround: Bool

        package init(number: Int, isAround: Bool) { (self.number, self.isAround) = (number, isAround) }
    }

    package let steps: Steps
    package let target: Target
    /// The number of the step where it begins, which is looked at last.
    package let start: Int
    package let isForward: Bool

    package init(steps: Steps, target: Target, start: Int, isForward: Bool) {
        (self.steps, self.target, self.start, self.isForward) = (steps, target, start, isForward)
    }

    /// Searches.
    ///
    /// - Returns: The first step that is found; nil if there is none, or if the task is cancelled.
    package func run() throws(RecordingError) -> Hit? {
        if steps.isEmpty { return nil }
        let (count, start, stride) = (steps.count, steps.index(of: start), isForward ? 1 : -1)
        let matches = matcher
        // What a step causes comes after it.
        let isOnce = if case .consequence = target { true } else { false }
        for distance in 1...count {
            if distance % 256 == 0, Task.isCancelled { return nil }
            let place = start + stride * distance
            let isAround = !(0..<count).contains(place)
            if isAround, isOnce { return nil }
            let step = try steps.reader.step(at: isAround ? place - stride * count : place)
            if matches(step) { return Hit(number: step.number, isAround: isAround) }
        }
        return nil
    }

    private var matcher: (StepRecord) -> Bool {
        switch target {
        case .consequence(let number): return { $0.causedBy == number }
        case .text(let text):
            let pattern = TextPattern(text)
            return { step in
                pattern.matches(step.text) || pattern.matches("\(step.kind)")
                    || !step.child.isEmpty && pattern.matches(step.child)
                    || step.changes.contains { change in
                        change.path.contains(where: pattern.matches) || change.value.map { pattern.matches($0.source) } ?? false
                    }
            }
        }
    }
}

/// A text that is looked for in others.
struct TextPattern: Sendable {
    private let bytes: [UInt8]
    private let minds: Bool

    /// Creates a pattern. Without a capital letter, it finds capitals, too; this is about the letters from A to Z only.
    init(_ text: String) {
        bytes = Array(text.utf8)
        minds = text.utf8.contains { (65...90).contains($0) }
    }

    /// Whether a text contains it.
    func matches(_ text: String) -> Bool {
        if bytes.isEmpty { return true }
        var text = text
        return text.withUTF8 { text in
            guard text.count >= bytes.count else { return false }
            return (0...text.count - bytes.count).contains { start in
                bytes.indices.allSatisfy { place in folded(text[start + place]) == bytes[place] }
            }
        }
    }

    private func folded(_ byte: UInt8) -> UInt8 { !minds && (65...90).contains(byte) ? byte | 32 : byte }
}
