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

        package init(number: Int, isAround: Bool) {
            self.number = number
            self.isAround = isAround
        }
    }

    package let steps: Steps
    package let target: Target
    /// The number of the step where it begins, which is looked at last.
    package let start: Int
    package let isForward: Bool
    /// Which hit is wanted: 1 for the first one. Of consequences, 2 is that of the first one, and so on.
    package let count: Int

    package init(steps: Steps, target: Target, start: Int, isForward: Bool, count: Int = 1) {
        self.steps = steps
        self.target = target
        self.start = start
        self.isForward = isForward
        self.count = count
    }

    /// Searches.
    ///
    /// - Returns: The hit that is wanted, or of fewer hits one of these; nil if there is none, or if the task is cancelled.
    package func run() throws(RecordingError) -> Hit? {
        switch target {
        case .text(let text): try find(TextPattern(text))
        case .consequence(let number): try findConsequence(of: number)
        }
    }

    private func find(_ pattern: TextPattern) throws(RecordingError) -> Hit? {
        if steps.isEmpty { return nil }
        let (total, start, stride) = (steps.count, steps.index(of: start), isForward ? 1 : -1)
        var hits: [Hit] = []
        for distance in 1...total {
            if distance % 256 == 0, Task.isCancelled { return nil }
            let place = start + stride * distance
            let isAround = !(0..<total).contains(place)
            let step = try steps.reader.step(at: isAround ? place - stride * total : place)
            guard Self.contains(step, pattern) else { continue }
            hits.append(Hit(number: step.number, isAround: isAround))
            if hits.count == count { break }
        }
        return hits.isEmpty ? nil : hits[(count - 1) % hits.count]
    }

    private static func contains(_ step: StepRecord, _ pattern: TextPattern) -> Bool {
        pattern.matches(step.text) || pattern.matches("\(step.kind)") || !step.child.isEmpty && pattern.matches(step.child)
            || step.changes.contains { change in
                change.path.contains(where: pattern.matches) || change.value.map { pattern.matches($0.source) } ?? false
            }
    }

    /// What a step causes comes after it: the end is the end.
    private func findConsequence(of first: Int) throws(RecordingError) -> Hit? {
        var (number, left) = (first, count)
        for index in min(steps.index(of: first) + 1, steps.count)..<steps.count where left > 0 {
            if index % 256 == 0, Task.isCancelled { return nil }
            let step = try steps.reader.step(at: index)
            if step.causedBy == number { (number, left) = (step.number, left - 1) }
        }
        return number == first ? nil : Hit(number: number, isAround: false)
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
