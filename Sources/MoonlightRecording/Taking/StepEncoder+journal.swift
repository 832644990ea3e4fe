import Moonlight
import SwiftText

// The steps for the loop's journal.
extension StepEncoder {
    mutating func add(_ record: JournalRecord<State, Event, Effect>) {
        if let loop = record.loop, header.loop.isEmpty { header.loop = loop }
        if case .effect(_, let before, _) = record.step { catchUp(to: before) }
        makeRoom()
        var step = StepRecord()
        step.cause = record.cause.map { stepOfRecord[$0] ?? 0 }
        switch record.step {
        case .event(let event): describe(event, .event, &step)
        case .rejected(let event, let error):
            describe(event, .rejected, &step)
            step.text += ": \(text(of: error))"
            step.child = path(of: error)
        case .effectRejected(let effect, let error):
            step.kind = .effectRejected
            step.text = "\(ValueText.describe(effect)): \(text(of: error))"
            step.child = path(of: error)
        case .effect(let effect, let before, let after):
            step.kind = .effect
            step.text = ValueText.describe(effect)
            step.json = Encoding.json(effect) ?? ""
            if before != after { step.changes = setState(after) }
        case .job(let job):
            step.kind = .job
            step.child = job.id.path.description
            step.outcome = outcome(of: job.step)
            step.text = "\(job.id) \(text(of: job.step))"
        case .rule(let rule):
            step.kind = .rule
            step.child = rule.path.description
            step.text = "\(rule.name) \(text(of: rule.step))"
        case .coalesced(let event, let count):
            step.text = "\(count) events were coalesced, the last of them \(ValueText.describe(event))"
        case .overflowed(let event, let count):
            step.text = "\(count) events were refused for lack of room, the last of them \(ValueText.describe(event))"
        case .runaway(let steps, let chain):
            step.text = "a runaway: \(steps) events without input from outside: \(chain.joined(separator: ", "))"
        case .ended(let isCancelled):
            step.kind = .ended
            step.text = isCancelled ? "it was cancelled" : "it ended"
        }
        add(step, at: record.time)
        stepOfRecord[record.number] = number
    }

    /// Begins a segment with a state that differs from the last one, because the loop has gone on without being recorded.
    private mutating func catchUp(to before: State) {
        let isFirst = state == nil
        if state?.value == before { return }
        // A state that is not equal to itself, such as one with `nan`, has no changes.
        if !setState(before).isEmpty || isFirst { openSegment() }
    }

    private func describe(_ event: Event, _ kind: StepKind, _ step: inout StepRecord) {
        step.kind = kind
        step.text = ValueText.describe(event)
        step.source = SwiftSource.of(event)
        step.json = Encoding.json(event) ?? ""
    }

    private func text(of error: any Error) -> String { (error as? Rejection)?.description ?? "\(error)" }
    private func path(of error: any Error) -> String { (error as? Rejection)?.path.description ?? "" }

    private func text(of step: JobRecord.Step) -> String {
        switch step {
        case .started: "started"
        case .finished: "finished"
        case .cancelled: "was cancelled"
        case .replaced: "was replaced"
        case .ignored: "was ignored"
        case .refused(let error): "was refused: \(error)"
        }
    }

    private func outcome(of step: JobRecord.Step) -> StepRecord.Outcome {
        switch step {
        case .started: .value
        case .finished: .finished
        case .cancelled, .replaced: .cancelled
        case .ignored, .refused: .failure
        }
    }

    private func text(of step: RuleRecord.Step) -> String {
        switch step {
        case .fired(let events): "fired, with \(events) event\(events == 1 ? "" : "s")"
        case .blocked(let given): "was blocked by \(given)"
        case .failed(let given, let error): "failed in \(given): \(error)"
        }
    }
}
