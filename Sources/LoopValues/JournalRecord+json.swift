import PlainText

extension JournalRecord {
    /// Returns the record as one line of JSON.
    ///
    /// The keys are `n` (the number), `cause`, `ms` (milliseconds since `start`), `at` (the wall clock, in UTC), `loop`, `step`
    /// and those of the step. `waited`, `transform` and `apply`, in milliseconds, are present where the record has them.
    /// `context` holds the task-locals that the loop carries, if it carries any.
    ///
    /// Events, effects and values are written as their descriptions, so nothing needs to be `Codable`.
    ///
    /// ```json
    /// {"n":2,"cause":1,"ms":0.013,"at":"2026-11-23T12:46:21.123Z","loop":"counter","step":"effect","effect":"added(1)","changes":[{"path":"count","before":"0","after":"1"}],"transform":0.001,"apply":0.002}
    /// ```
    ///
    /// - Parameter start: The instant from which `ms` is counted.
    /// - Returns: A JSON object, without a line break.
    public func json(since start: ContinuousClock.Instant) -> String {
        var fields = ["\"n\":\(number)"]
        if let cause { fields.append("\"cause\":\(cause)") }
        fields.append("\"ms\":\(milliseconds(time - start))")
        fields.append("\"at\":\"\(wallTime)\"")
        if let loop { fields.append("\"loop\":\(quote(loop))") }
        fields += parts.map { "\(quote($0)):\($1)" }
        for (name, time) in [("waited", waited), ("transform", transformTime), ("apply", applyTime)] {
            if let time { fields.append("\"\(name)\":\(milliseconds(time))") }
        }
        if !taskLocals.isEmpty {
            let locals = taskLocals.map { "\(quote($0.name)):\(text($0.value))" }
            fields.append("\"context\":{\(locals.joined(separator: ","))}")
        }
        return "{\(fields.joined(separator: ","))}"
    }

    /// Converts a duration to milliseconds, cut off after the microseconds.
    private func milliseconds(_ time: Duration) -> Double {
        Double(time.nanoseconds / 1000) / 1000
    }

    /// The keys and values that belong to the step; values are JSON.
    private var parts: [(String, String)] {
        switch step {
        case .event(let event): return [step("event"), ("event", text(event))]
        case .rejected(let event, let error):
            return [step("rejected"), ("event", text(event)), ("error", text(error))] + place(of: error)
        case .effectRejected(let effect, let error):
            return [step("effectRejected"), ("effect", text(effect)), ("error", text(error))] + place(of: error)
        case .effect(let effect, _, _):
            return [
                step("effect"), ("effect", text(effect)), ("changes", "[\(changes.map(json).joined(separator: ","))]"),
            ]
        case .job(let job):
            if case .refused(let error) = job.step {
                return [step("job"), ("id", text(job.id)), ("job", quote("refused")), ("error", text(error))]
            }
            return [step("job"), ("id", text(job.id)), ("job", text(job.step))]
        case .rule(let rule):
            let name = [step("rule"), ("name", quote(rule.locatedName))]
            switch rule.step {
            case .fired(let events): return name + [("rule", quote("fired")), ("events", "\(events)")]
            case .blocked(let given): return name + [("rule", quote("blocked"))] + fields(of: given)
            case .failed(let given, let error):
                return name + [("rule", quote("failed"))] + fields(of: given) + [("error", text(error))]
            }
        case .coalesced(let event, let count):
            return [step("coalesced"), ("event", text(event)), ("count", "\(count)")]
        case .overflowed(let event, let count):
            return [step("overflowed"), ("event", text(event)), ("count", "\(count)")]
        case .runaway(let steps, let chain):
            return [step("runaway"), ("steps", "\(steps)"), ("chain", "[\(chain.map(quote).joined(separator: ","))]")]
        case .ended(let isCancelled): return [step("ended"), ("cancelled", "\(isCancelled)")]
        }
    }

    /// The number of a given, and its text if it has one.
    private func fields(of given: RuleRecord.Given) -> [(String, String)] {
        [("given", "\(given.number)")] + (given.text.map { [("text", quote($0))] } ?? [])
    }

    /// The path, file and line of a rejection; empty for any other error.
    private func place(of error: any Error) -> [(String, String)] {
        guard let rejection = error as? Rejection else { return [] }
        let path = rejection.path.isRoot ? [] : [("path", text(rejection.path))]
        return path + [("file", quote(rejection.file)), ("line", "\(rejection.line)")]
    }

    private func step(_ name: String) -> (String, String) { ("step", quote(name)) }

    private func text(_ value: Any) -> String { quote(ValueDescription.of(value)) }

    private func json(_ change: StateChange) -> String {
        let before = change.before.map { ",\"before\":\(quote($0))" } ?? ""
        let after = change.after.map { ",\"after\":\(quote($0))" } ?? ""
        let verb = change.verb.map { ",\"verb\":\(quote($0))" } ?? ""
        return "{\"path\":\(quote(change.path))\(before)\(after)\(verb)}"
    }

    private func quote(_ text: String) -> String { text.jsonLiteral }
}
