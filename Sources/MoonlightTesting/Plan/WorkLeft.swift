import Moonlight
import SwiftText

/// The work that a plan's world has left: jobs, reactions, calls and timers, for the messages of failures.
struct WorkLeft {
    /// The ids of the jobs.
    let jobs: [String]
    /// The keys of the reactions.
    let reactions: [String]
    /// The number of live streams of effects, those of jobs included.
    let streams: Int
    /// The calls that wait for their answers.
    let calls: [String]
    /// The calls that were cancelled and wait nevertheless, as they have no error to throw.
    let cancelledCalls: [String]
    /// The number of timers that do not repeat.
    let timers: Int
    /// The number of timers that repeat.
    let repeating: Int
    /// The time until the next timer; nil if none is set.
    let nextTimer: Duration?

    /// True if a step of the plan can continue the work.
    private var isControlled: Bool { !calls.isEmpty || !cancelledCalls.isEmpty || nextTimer != nil }

    /// The step that runs the next timer.
    private var advance: String { ".advance(by: \(SwiftSource.source(of: nextTimer ?? .zero)))" }

    /// Returns a sentence about work that no step of the plan can continue.
    private func uncontrolled(_ names: [String]) -> String {
        let subject =
            switch (names.count, streams) {
            case (0, 1): "a stream of effects waits"
            case (0, _): "\(streams) streams of effects wait"
            case (1, _): "\(names[0]) waits"
            default: "\(list(names)) wait"
            }
        return """
            \(subject) for something that the plan does not control, such as real time: use stubs.scheduler, stubs.clock or a stub
            """
    }

    /// The lines to add to the message that a call was not made, which work in flight may make later.
    var hints: [String] {
        let names = jobs + reactions
        var sentences: [String] = []
        if !names.isEmpty { sentences.append("In flight: \(list(names))") }
        if let nextTimer { sentences.append("A timer is due in \(nextTimer): \(advance)") }
        var lines = sentences.isEmpty ? [] : [sentences.joined(separator: ". ")]
        if !isControlled, !names.isEmpty || streams > 0 { lines.append(uncontrolled(names)) }
        return lines
    }

    /// The message that something is alive at the end of a plan; nil if nothing is. Reactions may be.
    var messageAtEnd: String? {
        var lines: [String] = []
        if !calls.isEmpty { lines.append("pending calls: \(list(calls)): answer them by .resolve or .fail") }
        if !jobs.isEmpty { lines.append("jobs: \(list(jobs))") }
        if timers > 0, let nextTimer {
            let which = timers == 1 ? "1 timer is due in" : "\(timers) timers are set, the next is due in"
            lines.append("\(which) \(nextTimer): \(advance). If each timer sets another one, send the event that stops them")
        }
        if repeating > 0 {
            lines.append(
                repeating == 1
                    ? "1 timer repeats: send the event that ends its stream"
                    : "\(repeating) timers repeat: send the events that end their streams")
        }
        guard !lines.isEmpty || streams > 0 else { return nil }
        if !isControlled { lines.append(uncontrolled(jobs)) }
        if lines.isEmpty {
            lines.append("calls that were cancelled, but still wait: \(list(cancelledCalls)): answer them by .resolve or .fail")
        }
        let count = streams == 1 ? "1 stream of effects is" : "\(streams) streams of effects are"
        return """
            \(streams == 0 ? "something is" : count) still alive at the end:
            \(lines.map { "    \($0)" }.joined(separator: "\n"))
            End what is alive or, if that does not matter, write .ignoringInFlight()
            """
    }
}

private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
