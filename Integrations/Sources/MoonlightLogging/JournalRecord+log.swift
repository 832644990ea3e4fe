import CaseNames
public import Logging
public import Moonlight

extension JournalRecord {
    /// Logs the record: its kind as the message, such as `event add`, and the rest as metadata.
    ///
    /// The metadata are `record` (its number), `cause`, `loop`, `time` (that of the record: a ``JournalWriter`` logs later),
    /// `waited`, `transform` and `apply` in milliseconds, `context` with the task-locals that the loop carries, and the values of
    /// the kind: `event`, `effect`, `changes`, `job`, `rule`, `count`, `chain`. An error is passed as the error of the log's
    /// record. Nothing is formatted if the logger does not log at that level.
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - levels: The level of each kind.
    ///   - showsValues: True to log events, effects, changes of the state, the context, errors, and the ids of jobs and children;
    ///     false to log only the names of cases and the types of errors, if a log must not contain the values.
    public func log(to logger: Logger, levels: JournalLevels = JournalLevels(), showsValues: Bool = true) {
        logger.log(
            level: levels.level(of: self), "\(message)", error: showsValues ? error : nil,
            metadata: metadata(showsValues: showsValues), source: "Moonlight")
    }

    private var message: String {
        switch step {
        case .event(let event): "event \(caseName(of: event))"
        case .rejected(let event, _): "rejected \(caseName(of: event))"
        case .effectRejected(let effect, _): "rejected effect \(caseName(of: effect))"
        case .effect(let effect, _, _): "effect \(caseName(of: effect))"
        case .job(let job): "job \(caseName(of: job.step))"
        case .rule(let rule): "rule \(caseName(of: rule.step))"
        case .coalesced(let event, _): "coalesced \(caseName(of: event))"
        case .overflowed(let event, _): "overflowed \(caseName(of: event))"
        case .runaway: "runaway"
        case .ended(let isCancelled): isCancelled ? "cancelled" : "ended"
        }
    }

    private var error: (any Error)? {
        switch step {
        case .rejected(_, let error), .effectRejected(_, let error): return error
        case .job(let job): if case .refused(let error) = job.step { return error }
        case .rule(let rule): if case .failed(_, let error) = rule.step { return error }
        default: break
        }
        return nil
    }

    private func metadata(showsValues: Bool) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["record": "\(number)", "time": "\(wallTime)"]
        if let cause { metadata["cause"] = "\(cause)" }
        if let loop { metadata["loop"] = "\(loop)" }
        for (name, time) in [("waited", waited), ("transform", transformTime), ("apply", applyTime)] {
            if let time { metadata[name] = "\(time / .milliseconds(1)) ms" }
        }
        if showsValues, !taskLocals.isEmpty, case .event = step {
            metadata["context"] = .dictionary(
                Dictionary(taskLocals.map { ($0.name, .string("\($0.value)")) }) { _, last in last })
        }
        if !showsValues, let error { metadata["error"] = "\(type(of: error))" }
        add(to: &metadata, showsValues: showsValues)
        return metadata
    }

    private func add(to metadata: inout Logger.Metadata, showsValues: Bool) {
        func add(_ name: String, _ value: Any) { if showsValues { metadata[name] = "\(value)" } }
        switch step {
        case .event(let event), .rejected(let event, _): add("event", event)
        case .effectRejected(let effect, _): add("effect", effect)
        case .effect(let effect, _, _):
            add("effect", effect)
            if showsValues, case let changes = changes, !changes.isEmpty {
                metadata["changes"] = .array(changes.map { .string($0.description) })
            }
        case .job(let job): add("job", job.id)
        case .rule(let rule):
            metadata["rule"] = "\(rule.name)"
            if !rule.path.isRoot { add("path", rule.path) }
        case .coalesced(let event, let count), .overflowed(let event, let count):
            add("event", event)
            metadata["count"] = "\(count)"
        case .runaway(let steps, let chain):
            metadata["count"] = "\(steps)"
            metadata["chain"] = .array(chain.map { .string($0) })
        case .ended: break
        }
    }
}
