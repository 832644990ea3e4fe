extension JournalRecord: CustomStringConvertible {
    /// The record on one line: number, cause, and what happened.
    ///
    ///     4 <- 3  effect added(1): count 0 -> 1
    public var description: String {
        "\(number)\(cause.map { " <- \($0)" } ?? "")  \(summary)"
    }

    private var summary: String {
        switch step {
        case .event(let event): return "event \(event)"
        case .rejected(let event, let error): return "rejected \(event): \(error)"
        case .effectRejected(let effect, let error): return "rejected effect \(effect): \(error)"
        case .effect(let effect, _, _):
            let changes = changes
            if changes.isEmpty { return "effect \(effect)" }
            return "effect \(effect): \(changes.map(\.description).joined(separator: ", "))"
        case .job(let job):
            if case .refused(let error) = job.step { return "job \(job.id) refused: \(error)" }
            return "job \(job.id) \(job.step)"
        case .rule(let rule):
            switch rule.step {
            case .fired(let events): return "rule \(rule.name) fired: \(events) event\(events == 1 ? "" : "s")"
            case .blocked(let given): return "rule \(rule.name) blocked by given \(given)"
            case .failed(let given, let error): return "rule \(rule.name) failed in given \(given): \(error)"
            }
        case .coalesced(let event): return "coalesced \(event)"
        case .overflowed(let event): return "overflowed \(event)"
        case .runaway(let steps, let chain):
            return "runaway: \(steps) events without input, repeating \(chain.joined(separator: " -> "))"
        case .ended(let isCancelled): return isCancelled ? "cancelled" : "ended"
        }
    }
}
