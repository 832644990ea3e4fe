import Streams

/// A reader of a recording without its types: the base of the tool and the page.
package final class RecordingReader: Sendable {
    let archive: Archive
    /// The segment that was read last.
    private let last = Lock<(place: Int, content: Segment.Content)?>(nil)
    /// The number of kept steps.
    package let count: Int

    init(_ archive: Archive) {
        self.archive = archive
        count = archive.segments.reduce(0) { $0 + $1.count }
    }

    /// Reads the bytes of a file.
    package convenience init(bytes: [UInt8], limits: RecordingLimits = RecordingLimits()) throws(RecordingError) {
        self.init(try Archive(bytes, limits: limits))
    }

    /// Reads a file.
    package convenience init(contentsOf path: String, limits: RecordingLimits = RecordingLimits()) throws(RecordingError) {
        try self.init(bytes: try RecordingFile.read(path, limit: limits.file), limits: limits)
    }

    package var header: RecordingHeader { archive.header }
    /// The byte at which the file is truncated; nil if it is not.
    package var cut: Int? { archive.cut }
    /// The numbers of the steps; nil if there are none. The range has gaps where steps were lost.
    package var numbers: ClosedRange<Int>? { archive.numbers }

    private func content(_ place: Int) throws(RecordingError) -> Segment.Content {
        if let last = last.withLock({ $0 }), last.place == place { return last.content }
        let content = try archive.segments[place].decoded()
        var new: (place: Int, content: Segment.Content)? = (place, content)
        // Releases the previous content outside the lock.
        last.withLock { swap(&$0, &new) }
        return content
    }

    /// The state before the first kept step, even if there is no step yet; nil if it is unknown.
    var firstState: StateTree? {
        get throws(RecordingError) { archive.segments.isEmpty ? nil : try content(0).state }
    }

    /// Calls a closure with each step in a range, and the state before it, until the closure returns false.
    package func forEach(
        from first: Int = 1, to last: Int = .max, _ visit: (StepRecord, StateTree?) throws(RecordingError) -> Bool
    ) throws(RecordingError) {
        var place = archive.segment(with: first) ?? 0
        while place < archive.segments.count, archive.segments[place].first <= last {
            let content = try content(place)
            var state = content.state
            for step in content.steps where step.number <= last {
                if step.number >= first, try !visit(step, state) { return }
                for change in step.changes { state?.apply(change) }
            }
            place += 1
        }
    }

    /// Returns the steps in a range.
    package func steps(from first: Int = 1, to last: Int = .max) throws(RecordingError) -> [StepRecord] {
        var steps: [StepRecord] = []
        try forEach(from: first, to: last) { step, _ in
            steps.append(step)
            return true
        }
        return steps
    }

    /// Returns the step with a number, and the state before it.
    package func step(_ number: Int) throws(RecordingError) -> (step: StepRecord, before: StateTree?) {
        var found: (StepRecord, StateTree?)?
        try forEach(from: number, to: number) { step, state in
            found = (step, state)
            return false
        }
        guard let found else { throw .noStep(number, kept: numbers) }
        return found
    }

    /// Returns the state after a step; nil if it is unknown. The number before the first step stands for the state before it.
    package func state(at number: Int) throws(RecordingError) -> StateTree? {
        if let numbers, number == numbers.lowerBound - 1 { return try step(numbers.lowerBound).before }
        guard let (step, before) = try? step(number), var state = before else {
            return try step(number).before
        }
        for change in step.changes { state.apply(change) }
        return state
    }

    /// Returns the known states after the given steps, in one pass.
    package func states(at numbers: Set<Int>) throws(RecordingError) -> [Int: StateTree] {
        guard let first = numbers.min(), let last = numbers.max() else { return [:] }
        var states: [Int: StateTree] = [:]
        try forEach(from: first, to: last == .max ? last : last + 1) { step, state in
            if numbers.contains(step.number - 1) { states[step.number - 1] = state }
            if numbers.contains(step.number), var after = state {
                for change in step.changes { after.apply(change) }
                states[step.number] = after
            }
            return true
        }
        return states
    }

    /// Returns the causes of a step: its cause, the cause of that, and so on, up to a step from outside.
    package func causes(of number: Int) throws(RecordingError) -> [StepRecord] {
        var causes: [StepRecord] = []
        var step = try step(number).step
        while true {
            // An answer belongs to its call, which has a cause.
            let next = step.origin
            guard next > 0, next < step.number, let cause = try? self.step(next).step else { return causes }
            causes.append(cause)
            step = cause
        }
    }

    /// Returns the segment that has a step, with the JSON of its first state, for a player that knows the type.
    func segment(with number: Int) throws(RecordingError) -> Segment.Content? {
        guard let place = archive.segment(with: number) else { return nil }
        return try content(place)
    }
}
