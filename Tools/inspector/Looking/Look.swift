import MoonlightRecording

/// What is to be seen of a step: the state after it, what it changed, and what led to it.
package struct Look: Equatable, Sendable {
    /// Which step is looked at.
    package struct Question: Equatable, Sendable {
        package let steps: Steps
        package let number: Int
        /// The step with whose state that of the other is compared; nil for what the step itself changed.
        package let mark: Int?

        package init(steps: Steps, number: Int, mark: Int?) {
            self.steps = steps
            self.number = number
            self.mark = mark
        }
    }

    /// A part of the state that differs.
    package struct Change: Equatable, Sendable {
        package let path: [String]
        /// The path as one writes it in Swift.
        package let title: String
        /// What was there; nil if there was nothing.
        package let before: StateTree?
        /// What is there; nil if it is gone.
        package let after: StateTree?
    }

    package let number: Int
    package let mark: Int?
    /// The state after the step; nil if it is not known.
    package let state: StateTree?
    package let changes: [Change]
    /// The steps that led to it, its cause first.
    package let causes: [StepRecord]
    /// What is known of the beginning of the causes.
    package let origin: Origin

    /// Where the first of the causes, or the step itself if it has none, came from.
    package enum Origin: Equatable, Sendable {
        case outside
        /// The cause is no longer kept.
        case unknown
        /// There are more than ``mostCauses``.
        case further
    }

    /// How many causes are looked up: a program that keeps itself busy has a chain as long as the recording.
    package static let mostCauses = 1000

    /// Looks at a step.
    ///
    /// - Complexity: O(1) in the length of the recording, but for the causes.
    package init(_ question: Question) throws(RecordingError) {
        let reader = question.steps.reader
        (number, mark) = (question.number, question.mark)
        let (step, before) = try reader.step(number)
        var after = before
        for change in step.changes { after?.apply(change) }
        state = after
        var difference = Difference(root: after ?? before)
        if let mark {
            if let after, let old = try reader.state(at: mark) { difference.add([], old, after) }
        } else {
            for change in step.changes { difference.add(change.path, before?[change.path], change.value) }
        }
        changes = difference.changes
        (causes, origin) = try Self.causes(of: step, in: question.steps)
    }

    private static func causes(of step: StepRecord, in steps: Steps) throws(RecordingError) -> ([StepRecord], Origin) {
        var (causes, step) = ([StepRecord](), step)
        while let number = step.causedBy {
            // Nobody waits for a look that is cancelled.
            guard causes.count < mostCauses, !Task.isCancelled else { return (causes, .further) }
            guard steps.has(number) else { return (causes, .unknown) }
            step = try steps.reader.step(at: steps.index(of: number))
            causes.append(step)
        }
        return (causes, step.cause == nil && step.kind != .answer && step.kind != .fired ? .outside : .unknown)
    }
}
