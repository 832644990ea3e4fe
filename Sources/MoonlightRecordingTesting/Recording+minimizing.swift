import Moonlight
import MoonlightRecording
import MoonlightTesting
import Streams

extension Recording {
    /// Returns the recording without the events and answers that a condition at its end does not require.
    ///
    /// - Parameters:
    ///   - reducer: The reducer.
    ///   - last: The number of the last step to consider; by default the last of all.
    ///   - feedback: Returns streams of events, as in the program.
    ///   - environment: Creates the environment from stubs.
    ///   - holds: Returns true if a state meets the condition.
    /// - Returns: The rest of the recording; nil if the condition does not hold after a replay of all of it.
    /// - Complexity: Quadratic in the number of events and answers, at worst.
    public func minimized<Environment>(
        of reducer: Reducer<State, Event, Effect, Environment>, to last: Int = .max,
        feedback: ((AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])? = nil,
        environment: @escaping (Stubs) -> Environment, where holds: @escaping (State) -> Bool
    ) throws(RecordingError) -> MinimizedRecording? {
        let (script, feedback) = try script(to: last, feedback)
        func isEnough(_ indices: [Int]) throws(RecordingError) -> Bool {
            var part = script
            part.keep(Set(indices))
            let found = Found()
            let plan = try plan(of: reducer, part, feedback: feedback, environment: environment) { plan, _ in plan }
            do {
                try plan.ignoringRefusals().looking { state, _, _ in found.holds = holds(state) }
                    .ignoringCalls().ignoringInFlight().ignoringRelease().run()
            } catch { return false }
            return found.holds
        }
        var kept = Array(script.actions.indices)
        guard try isEnough(kept) else { return nil }
        // Removes halves first, then smaller parts.
        var size = max(1, kept.count / 2)
        while true {
            var (start, isSmaller) = (0, false)
            while start < kept.count {
                let rest = Array(kept[..<start] + kept[min(start + size, kept.count)...])
                if try isEnough(rest) { (kept, isSmaller) = (rest, true) } else { start += size }
            }
            if size == 1, !isSmaller { break }
            if !isSmaller || size > kept.count { size = max(1, min(size, kept.count) / 2) }
            if kept.isEmpty { break }
        }
        let steps = kept.map { script.actions[$0].step }
        // In the source of a plan, what was answered at once is an action, too.
        var part = try Script(reader, to: last, hasFeedback: script.hasFeedback)
        part.keep(
            Set(
                part.actions.indices.filter { index in
                    let action = part.actions[index]
                    return steps.contains(action.isAtOnce ? action.owner : action.step)
                }))
        return MinimizedRecording(script: part, steps: steps, reader: reader)
    }
}

/// The part of a recording that a condition requires; see `Recording.minimized(of:to:feedback:environment:where:)`.
public struct MinimizedRecording {
    private let script: Script
    private let reader: RecordingReader
    /// The numbers of the remaining steps: events and answers.
    public private(set) var steps: [Int]

    init(script: Script, steps: [Int], reader: RecordingReader) {
        self.script = script
        self.steps = steps
        self.reader = reader
    }

    /// Returns the source of a plan with these steps.
    ///
    /// - Parameters:
    ///   - holds: The condition at the end, in Swift, with the state as `state`.
    ///   - reducer: The reducer in Swift; nil to take it from the source of the recording, if that can be read.
    ///   - environment: The closure that creates the environment from stubs, in Swift; nil to take it from the source.
    ///   - feedback: The expression that creates the feedback, in Swift; nil to take it from the source.
    public func planSource(
        holds: String? = nil, reducer: String? = nil, environment: String? = nil, feedback: String? = nil
    ) throws(RecordingError) -> String {
        var text = PlanText(reader.header, script, reducer, environment, feedback)
        // Events of feedback are played as events from outside.
        if !script.hasFeedback { text.feedback = nil }
        return try script.planSource(reader, text, checks: false, holds: holds)
    }
}
