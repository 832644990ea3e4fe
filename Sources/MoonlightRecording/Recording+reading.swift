import Moonlight

extension Recording {
    /// Reads a recording from a file, to be played.
    ///
    /// - Parameters:
    ///   - reducer: The reducer that was recorded, or a later version of it. It only says what the types are.
    ///   - path: The path of the file.
    ///   - limits: How large the file may be.
    /// - Throws: What is wrong with the file. A last part that a crash has cut off is no error: the recording ends before it; see
    ///   ``isCutOff``.
    public convenience init<Environment>(
        of reducer: Reducer<State, Event, Effect, Environment>, contentsOf path: String,
        limits: RecordingLimits = RecordingLimits()
    ) throws(RecordingError) {
        self.init(loaded: try Archive(try RecordingFile.read(path, limit: limits.file), limits: limits))
    }

    /// Reads a recording from a file, where the types are known otherwise.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limits: How large the file may be.
    /// - Throws: What is wrong with the file.
    public convenience init(contentsOf path: String, limits: RecordingLimits = RecordingLimits()) throws(RecordingError) {
        self.init(loaded: try Archive(try RecordingFile.read(path, limit: limits.file), limits: limits))
    }

    /// Reads a recording from the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - limits: How many they may be.
    /// - Throws: What is wrong with them.
    public convenience init(bytes: [UInt8], limits: RecordingLimits = RecordingLimits()) throws(RecordingError) {
        self.init(loaded: try Archive(bytes, limits: limits))
    }

    /// What reads the recording as it is now.
    package var reader: RecordingReader { loadedReader ?? RecordingReader(archive) }

    /// True if the end of the file was cut off when it was written.
    public var isCutOff: Bool { archive.cut != nil }

    /// The numbers of the steps that are kept; nil if there are none.
    public var numbers: ClosedRange<Int>? { archive.numbers }

    /// The number of steps that were lost between the first and the last that are kept.
    ///
    /// A program that is faster than the encoding for long fills the queue; then the oldest of what waits is lost. A step in its place
    /// says how many were.
    public var lost: Int { archive.lost }

    /// Returns the steps of a range; those that are not kept are left out.
    ///
    /// - Parameter range: The numbers of the steps; all of them unless given.
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

    /// Returns what led to a step: its cause, the cause of that, and so on, up to what came from outside.
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

    /// Returns how two states differ.
    ///
    /// - Parameters:
    ///   - first: The number of the step after which the one state was.
    ///   - second: The number of the step after which the other was.
    /// - Returns: The parts that differ.
    public func changes(from first: Int, to second: Int) throws(RecordingError) -> [RecordedStep.Change] {
        let reader = reader
        guard let old = try reader.state(at: first), let new = try reader.state(at: second) else { return [] }
        return RecordedStep.changes(old.changes(to: new), before: old)
    }

    /// Returns the state after a step, by folding the recorded effects into the nearest state that is kept as a whole.
    ///
    /// - Parameters:
    ///   - number: The number of the step; the one before the first for the state at the beginning.
    ///   - reducer: The reducer, of which only `apply` is used.
    /// - Throws: ``RecordingError/undecodable(what:step:reason:)`` if the state or an effect is not `Codable`, or redacted beyond
    ///   recognition; what `apply` throws leaves the state as it is.
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
                throw EncodingFault(reason: "it is no \(type)")
            }
            return value
        } catch { throw .undecodable(what: what, step: step, reason: error.reason) }
    }

    /// Returns the first step after which a predicate holds, if it holds from then on: it is found by bisection, and looks at a few
    /// states only.
    ///
    /// - Parameters:
    ///   - reducer: The reducer, of which only `apply` is used.
    ///   - holds: Returns whether it holds in a state.
    /// - Returns: The step; nil if it does not hold at the end. If it holds at the beginning, the first step.
    public func firstStep<Environment>(
        by reducer: Reducer<State, Event, Effect, Environment>, where holds: (State) -> Bool
    ) throws(RecordingError) -> RecordedStep? {
        guard let numbers = reader.numbers, holds(try state(at: numbers.upperBound, by: reducer)) else { return nil }
        var (low, high) = (numbers.lowerBound - 1, numbers.upperBound)
        if holds(try state(at: low, by: reducer)) { return try step(numbers.lowerBound) }
        // It does not hold after `low`, and holds after `high`.
        while high - low > 1 {
            let middle = (low + high) / 2
            if holds(try state(at: middle, by: reducer)) { high = middle } else { low = middle }
        }
        return try step(high)
    }
}
