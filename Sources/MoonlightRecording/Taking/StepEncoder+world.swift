import Moonlight
import Streams
import SwiftText

// The steps for calls, answers and timers.
extension StepEncoder {
    mutating func add(_ entry: WorldEntry) {
        makeRoom()
        var step = StepRecord()
        step.cause = entry.cause.map { stepOfRecord[$0] ?? 0 }
        switch entry.what {
        case .call(let call):
            step.kind = .call
            describe(call, &step)
        case .answer(let call, let answer, let isLate):
            guard let caller = stepOfCall[call] else { return }
            step.kind = .answer
            (step.call, step.isLate) = (caller, isLate)
            describe(answer, &step)
            if answer.outcome != .sent { stepOfCall[call] = nil }
        case .result(let call, let answer):
            step.kind = .result
            describe(call, &step)
            let text = step.text
            describe(answer, &step)
            step.text = "\(text) is \(step.text)"
        case .timer(let span):
            step.kind = .timer
            step.span = min(max(0, TimeStride(span).nanoseconds), RecordingFormat.latest)
            step.text = "a timer is set: \(span)"
        case .fired:
            guard let setter = stepOfCall[entry.id] else { return }
            step.kind = .fired
            step.cause = nil
            step.call = setter
            step.text = "the timer of step \(setter) is due"
        case .withdrawn:
            guard let setter = stepOfCall[entry.id] else { return }
            step.kind = .answer
            step.outcome = .cancelled
            step.call = setter
            step.text = "the timer of step \(setter) is withdrawn"
        }
        add(step, at: entry.time)
        switch entry.what {
        case .call, .timer: stepOfCall[entry.id] = number
        case .fired, .withdrawn: stepOfCall[entry.id] = nil
        default: break
        }
    }

    private func describe(_ call: RecordedCall, _ step: inout StepRecord) {
        step.name = call.name
        step.text = call.text()
        step.source = call.source()
    }

    private func describe(_ answer: RecordedAnswer, _ step: inout StepRecord) {
        step.outcome = answer.outcome
        guard let value = answer.value else {
            step.text = answer.outcome == .cancelled ? "is cancelled" : "finishes"
            return
        }
        step.source = SwiftSource.of(value, isTypeKnown: answer.isTypeKnown)
        step.json = Encoding.json(value) ?? ""
        step.text =
            answer.outcome == .failure ? "\(value)" : value is Void ? "()" : ValueText.describe(value)
    }
}
