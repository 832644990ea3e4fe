import Moonlight
import SwiftText

// What a recording adds to a plan, of which it knows the functions by name only.
extension Plan {
    /// Answers a call that is known by its description.
    ///
    /// - Parameters:
    ///   - name: The name of the function.
    ///   - call: The description of the call, such as `find("mo")`; nil for any call of the function.
    ///   - number: Which of these calls, counted from 1; nil for the oldest that waits.
    ///   - isLate: Whether to do nothing if the call does not wait, as it was cancelled.
    ///   - title: The line of the story.
    ///   - answer: The answer.
    package func answering(
        _ name: String, call: String?, number: Int?, isLate: Bool, title: String, at place: SourcePlace, with answer: ErasedAnswer
    ) -> Self {
        acting(title, place) { world in
            let all = world.log.records.filter { $0.name == name }
            var records = all.filter { call == nil || $0.description == call }
            let known = records
            if let number { records = records.count >= number && number > 0 ? [records[number - 1]] : [] }
            guard let record = records.first(where: { $0.state == .waits }) ?? records.first(where: \.isAwaited) else {
                if isLate { return }
                let what = call ?? name
                if let last = known.last {
                    throw PlanFault(
                        number.map { "\(what) has no call number \($0)" }
                            ?? "\(what) cannot be answered: it \(last.state.description)")
                }
                let waiting = world.log.records.filter { $0.state == .waits }
                throw PlanFault(
                    "\(what) was not called; what waits is \(waiting.isEmpty ? "nothing" : world.list(waiting))")
            }
            record.assert()
            let give: () -> Void
            do { give = try record.give(answer) } catch { throw PlanFault("\(record.description): \(error)") }
            world.perform(give)
            try world.checkRefusals()
        }
    }

    /// Looks at the state after a step, at what was rejected in it, and at the calls that it made.
    package func looking(_ look: @escaping (State, _ rejected: [String], _ calls: [String]) -> Void) -> Self {
        checking("", SourcePlace()) { world in
            let rejected = world.journal.records.compactMap { record -> String? in
                switch record.step {
                case .rejected(let event, _): ValueText.describe(event)
                case .effectRejected(let effect, _): ValueText.describe(effect)
                default: nil
                }
            }
            look(world.state, rejected, world.callsOfStep)
        }
    }
}
