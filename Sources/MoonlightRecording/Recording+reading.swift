import Moonlight

extension Recording {
    /// Reads a recording from a file, for replay.
    ///
    /// - Parameters:
    ///   - reducer: The reducer that was recorded, or a later version of it. Only its types are used.
    ///   - path: The path of the file.
    ///   - largestFile: The largest file that is read, in bytes.
    ///   - largestFrame: The largest part of a file that is read at once, in bytes.
    /// - Throws: An error if the file is invalid. An incomplete last part, which a crash may leave, is not an error: the
    ///   recording ends before it; see ``isCutOff``.
    public convenience init<Environment>(
        of reducer: Reducer<State, Event, Effect, Environment>, contentsOf path: String,
        largestFile: Int = 512 << 20, largestFrame: Int = 64 << 20
    ) throws(RecordingError) {
        let limits = RecordingLimits(file: largestFile, frame: largestFrame)
        self.init(loaded: try Archive(try RecordingFile.read(path, limit: limits.file), limits: limits))
    }

    /// Reads a recording from the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - largestFile: The largest number of bytes.
    ///   - largestFrame: The largest part that is read at once, in bytes.
    /// - Throws: An error if the bytes are invalid.
    public convenience init(
        bytes: [UInt8], largestFile: Int = 512 << 20, largestFrame: Int = 64 << 20
    ) throws(RecordingError) {
        self.init(loaded: try Archive(bytes, limits: RecordingLimits(file: largestFile, frame: largestFrame)))
    }

    /// A reader of the recording so far.
    package var reader: RecordingReader { loadedReader ?? RecordingReader(archive) }

    /// True if the end of the file is missing.
    public var isCutOff: Bool { archive.cut != nil }

    /// The numbers of the kept steps; nil if there are none.
    public var numbers: ClosedRange<Int>? { archive.numbers }

    /// The number of steps that were lost between the first and the last kept one.
    ///
    /// If a program is faster than the encoder for a long time, the queue fills, and the oldest pending steps are lost. A note in
    /// their place has their number.
    public var lost: Int { archive.lost }

    /// Returns the steps in a range, without those that are not kept.
    ///
    /// - Parameter range: The numbers of the steps; by default all.
    /// - Throws: ``RecordingError/damaged(byte:reason:)``.
    public func steps(_ range: ClosedRange<Int> = 1...Int.max) throws(RecordingError) -> [RecordedStep] {
        var steps: [RecordedStep] = []
        try reader.forEach(from: range.lowerBound, to: range.upperBound) { step, state in
            steps.append(RecordedStep(step, before: state))
            return true
        }
        return steps
    }

    /// Returns a step.
    ///
    /// - Parameter number: The number of the step.
    /// - Throws: ``RecordingError/noStep(_:kept:)`` if it is not kept.
    public func step(_ number: Int) throws(RecordingError) -> RecordedStep {
        let (step, before) = try reader.step(number)
        return RecordedStep(step, before: before)
    }

    /// Returns the causes of a step: its cause, the cause of that, and so on, up to a step from outside.
    ///
    /// - Parameter number: The number of the step.
    /// - Throws: ``RecordingError/noStep(_:kept:)`` if it is not kept.
    public func causes(of number: Int) throws(RecordingError) -> [RecordedStep] {
        let reader = reader
        var causes: [RecordedStep] = []
        for cause in try reader.causes(of: number) {
            causes.append(RecordedStep(cause, before: try reader.step(cause.number).before))
        }
        return causes
    }

    /// Returns the differences between two states.
    ///
    /// - Parameters:
    ///   - first: The number of the step that led to one state.
    ///   - second: The number of the step that led to the other.
    /// - Returns: The parts that differ.
    public func changes(from first: Int, to second: Int) throws(RecordingError) -> [RecordedStep.Change] {
        let reader = reader
        guard let old = try reader.state(at: first), let new = try reader.state(at: second) else { return [] }
        return RecordedStep.changes(old.changes(to: new), before: old)
    }

    /// Returns the state after a step, by folding the recorded effects into the nearest stored state.
    ///
    /// - Parameters:
    ///   - number: The number of the step; the number before the first step stands for the initial state.
    ///   - reducer: The reducer, of which only `apply` is used.
    /// - Throws: ``RecordingError/undecodable(what:step:reason:)`` if the state or an effect is not `Codable`, or cannot be
    ///   decoded because it is redacted. An effect that `apply` rejects changes nothing.
    /// - Complexity: At most 512 effects are applied, however long the recording is.
    public func state<Environment>(
        at number: Int, by reducer: Reducer<State, Event, Effect, Environment>
    ) throws(RecordingError) -> State {
        let reader = reader
        guard let numbers = reader.numbers else { throw .noStep(number, kept: nil) }
        let asked = number == numbers.lowerBound - 1 ? numbers.lowerBound : number
        guard let content = try reader.segment(with: asked), let first = content.steps.first,
            number < first.number + content.steps.count
        else { throw .noStep(number, kept: numbers) }
        var state = try decode(State.self, content.json, "the state", before: first.number)
        for step in content.steps where step.kind == .effect && step.number <= number {
            let effect = try decode(Effect.self, step.json, "the effect", before: step.number)
            _ = try? reducer.apply(effect, to: &state)
        }
        return state
    }

    package func decode<Value>(_ type: Value.Type, _ json: String, _ what: String, before step: Int) throws(RecordingError)
        -> Value
    {
        do throws(EncodingFault) {
            guard let value = try Encoding.value(type, of: json) as? Value else {
                throw EncodingFault(reason: "it is not a value of \(type)")
            }
            return value
        } catch { throw .undecodable(what: what, step: step, reason: error.reason) }
    }

    /// Returns the first step after which a condition holds, if it holds from then on. It is found by bisection, which
    /// inspects only a few states.
    ///
    /// - Parameters:
    ///   - reducer: The reducer, of which only `apply` is used.
    ///   - holds: Returns true if a state meets the condition.
    /// - Returns: The step; nil if the condition does not hold at the end. If it holds at the beginning, the first step.
    public func firstStep<Environment>(
        by reducer: Reducer<State, Event, Effect, Environment>, where holds: (State) -> Bool
    ) throws(RecordingError) -> RecordedStep? {
        let archive = reader.archive
        guard let numbers = archive.numbers, holds(try state(at: numbers.upperBound, by: reducer)) else { return nil }
        if holds(try state(at: numbers.lowerBound - 1, by: reducer)) { return try step(numbers.lowerBound) }
        // Places among the kept steps: it does not hold after `low`, and holds after `high`.
        var (low, high) = (-1, numbers.count - archive.lost - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if holds(try state(at: archive.number(at: middle), by: reducer)) { high = middle } else { low = middle }
        }
        return try step(archive.number(at: high))
    }
}

// The recording as a text, a plan and a page.
extension Recording {
    /// Returns the source of a plan that replays the recording and checks the states.
    ///
    /// Feedback that waits for answers or for time is not part of the plan, unless it is passed here: the events that it sent
    /// are in the recording, and are played as events from outside.
    ///
    /// - Parameters:
    ///   - last: The number of the last step; by default the last of all.
    ///   - reducer: The reducer in Swift; nil to take it from the source of the recording, if that can be read.
    ///   - environment: The closure that creates the environment from stubs, in Swift; nil to take it from the source.
    ///   - feedback: The expression that creates the feedback, in Swift; nil to take it from the source.
    public func planSource(
        to last: Int = .max, reducer: String? = nil, environment: String? = nil, feedback: String? = nil
    ) throws(RecordingError) -> String {
        try Script.planSource(reader, to: last, reducer: reducer, environment: environment, feedback: feedback)
    }

    /// Returns the trace of the recording, in words.
    ///
    /// - Parameter last: The number of the last step; by default the last of all.
    public func trace(to last: Int = .max) throws(RecordingError) -> String {
        let reader = reader
        return try Script(reader, to: last).trace(reader)
    }

    /// Returns the recording as a page: one self-contained HTML file that works from disk.
    ///
    /// A program that serves the page can keep it up to date while it is open:
    ///
    /// ```swift
    /// let page = try recording.page(updates: "recording/updates")    // at /recording?token=…
    /// let event = "data: \(try recording.pageContent())\n\n"         // at /recording/updates?token=…, as text/event-stream
    /// ```
    /// - Parameter updates: The path from which the page receives server-sent events, each with a new ``pageContent()`` as
    ///   its data, relative to the path of the page; nil for a static page. The page passes its own query on, and the
    ///   reader's selection stays.
    public func page(updates: String? = nil) throws(RecordingError) -> String { try PageContent(reader).html(updates: updates) }

    /// Returns the data of the page, as JSON on one line, for a page that was created with `updates:`.
    public func pageContent() throws(RecordingError) -> String { try PageContent(reader).json() }
}
