import PlainText

extension JournalRecord: CustomStringConvertible {
    /// The record on one line: its number, its cause, and what happened.
    ///
    ///     4 <- 3  effect added(1): count 0 -> 1
    ///
    /// The record of an event also shows the sender's task-locals, if the loop carries any:
    ///
    ///     5  event add(1) [request=7]
    public var description: String {
        "\(number)\(cause.map { " <- \($0)" } ?? "")  \((summary + sender).escapingControls)"
    }

    /// The record as a line of a log: the wall clock, the loop's name, the ``description``, and those times that are a
    /// millisecond or more.
    ///
    ///     2026-11-23T12:46:21.123Z shop  5  event add(1) [request=7] (waited 150 ms)
    public var line: String {
        let times = [("waited", waited), ("transform", transformTime), ("apply", applyTime)].compactMap { name, time in
            time.flatMap { $0 < .milliseconds(1) ? nil : "\(name) \(Int($0 / .milliseconds(1))) ms" }
        }
        let slow = times.isEmpty ? "" : " (\(times.joined(separator: ", ")))"
        return "\(wallTime)\(loop.map { " \($0.escapingControls)" } ?? "")  \(description)\(slow)"
    }

    /// The task-locals of an event's sender, in brackets; empty for any other record.
    private var sender: String {
        guard case .event = step, !taskLocals.isEmpty else { return "" }
        return " [\(taskLocals.map { "\($0.name)=\(text($0.value))" }.joined(separator: ", "))]"
    }

    private var summary: String {
        switch step {
        case .event(let event): return "event \(text(event))"
        case .rejected(let event, let error): return "rejected \(text(event)): \(located(error))"
        case .effectRejected(let effect, let error): return "rejected effect \(text(effect)): \(located(error))"
        case .effect(let effect, _, _):
            let changes = changes
            if changes.isEmpty { return "effect \(text(effect))" }
            return "effect \(text(effect)): \(changes.map(\.description).joined(separator: ", "))"
        case .job(let job):
            if case .refused(let error) = job.step { return "job \(job.id) refused: \(error)" }
            return "job \(job.id) \(job.step)"
        case .rule(let rule):
            switch rule.step {
            case .fired(let events): return "rule \(rule.locatedName) fired: \(events) event\(events == 1 ? "" : "s")"
            case .blocked(let given): return "rule \(rule.locatedName) blocked by\(given.text == nil ? "" : ":") \(given)"
            case .failed(let given, let error):
                let place = given.text.map { "\"\($0)\"" } ?? given.description
                return "rule \(rule.locatedName) failed in \(place): \(located(error))"
            }
        case .coalesced(let event, let count): return "coalesced \(text(event))\(others(count))"
        case .overflowed(let event, let count): return "overflowed \(text(event))\(others(count))"
        case .runaway(let steps, let chain): return "runaway: \(RunawayReport(steps: steps, chain: chain))"
        case .ended(let isCancelled): return isCancelled ? "cancelled" : "ended"
        }
    }

    private func text(_ value: Any) -> String { ValueDescription.of(value) }

    /// Returns the text of an error; that of a ``Rejection`` includes its place in the source.
    private func located(_ error: any Error) -> String { (error as? Rejection)?.debugDescription ?? text(error) }

    private func others(_ count: Int) -> String { count == 1 ? "" : ", the last of \(count)" }
}

extension JournalRecord where State: Equatable {
    /// True if an effect changed the state. Compares both states at each access.
    public var isChange: Bool {
        if case .effect(_, let before, let after) = step { before != after } else { false }
    }
}

extension JournalRecord {
    /// True if the loop refused something or something failed: an event or an effect was rejected, a job refused, an event lost
    /// because the inbox was full, or a rule failed.
    public var isRejection: Bool {
        switch step {
        case .rejected, .effectRejected, .overflowed: return true
        case .job(let job): if case .refused = job.step { return true } else { return false }
        case .rule(let rule): if case .failed = rule.step { return true } else { return false }
        case .event, .effect, .coalesced, .runaway, .ended: return false
        }
    }

    /// The fields of the state that an effect changed; empty for any other record. Computed at each access.
    ///
    /// A change of a ``Slot`` has a ``/PlainText/StateChange/verb``. A slot that was absent, or is, is described as `absent`.
    public var changes: [StateChange] {
        guard case .effect(_, let before, let after) = step else { return [] }
        return StateChange.between(before, after, namesVerbs: true)
    }

    /// A multi-line description: what happened, then a line for each change of the state.
    public var diff: String {
        guard case .effect(let effect, _, _) = step else { return description }
        let head = "\(number)\(cause.map { " <- \($0)" } ?? "")  effect \(ValueDescription.of(effect))"
        return ([head] + changes.map { "    \($0)" }).map(\.escapingControls).joined(separator: "\n")
    }
}
