import Moonlight

// The changes of the history. `fold` is the `apply` of the reducer.
extension Development {
    typealias Fold = (inout State, Effect) throws -> Void

    /// Returns the reason why a command cannot be executed; nil if it can.
    func refusal(of command: DevelopmentCommand) -> Rejection? {
        switch command {
        case .skip(let number), .restore(let number):
            if isPaused { return Rejection("no step can be skipped or restored while the history is paused") }
            if steps.contains(where: { $0.number == number }) { return nil }
            return Rejection("step \(number) is not kept; \(keptSteps)")
        case .jump(let number?):
            if positions.contains(number) { return nil }
            return Rejection("step \(number) cannot be jumped to; \(keptSteps)")
        case .jump(nil), .pause, .resume, .lock, .unlock: return nil
        }
    }

    private var keptSteps: String {
        steps.isEmpty ? "none is kept" : "steps \(count - steps.count + 1) to \(count) are"
    }

    /// Records an accepted event.
    mutating func begin(_ event: Event, keeping limit: Int, _ fold: Fold) {
        revision += 1
        count += 1
        if !isPaused { keep(Step(number: count, content: .event(event)), limit, fold) } else { forget() }
    }

    /// Folds an effect into the latest state with `first`, unless it is skipped or held.
    ///
    /// - Throws: The error of `first`, without a change.
    mutating func take(_ effect: Effect, cause: Int, keeping limit: Int, _ fold: Fold, first: Fold) throws {
        if isLocked {
            held.append((effect, cause))
            revision += 1
            return
        }
        let isSkipped = skipped.contains(cause)
        if !isSkipped { try first(&latest, effect) }
        note(effect, cause, isSkipped ? .skipped : .inEffect, keeping: limit, fold)
    }

    /// Adds the step of an effect.
    private mutating func note(_ effect: Effect, _ cause: Int, _ outcome: Step.Outcome, keeping limit: Int, _ fold: Fold) {
        revision += 1
        count += 1
        if isPaused {
            forget()
        } else {
            keep(Step(number: count, content: .effect(effect, cause: cause), outcome: outcome), limit, fold)
        }
        if position == nil { displayed = latest }
    }

    /// Adds a step, and drops the oldest one if there are more than `limit`.
    private mutating func keep(_ step: Step, _ limit: Int, _ fold: Fold) {
        steps.append(step)
        guard steps.count > limit else { return }
        let oldest = steps.removeFirst()
        Self.fold(oldest, into: &base, fold)
    }

    /// Drops the history: the next step is the first one kept.
    private mutating func forget() {
        revision += 1
        base = latest
        steps = []
    }

    /// Folds a step that is in effect into a state; an effect that `fold` rejects changes nothing.
    private static func fold(_ step: Step, into state: inout State, _ fold: Fold) {
        guard step.outcome == .inEffect, case .effect(let effect, _) = step.content else { return }
        try? fold(&state, effect)
    }

    /// Executes a command.
    ///
    /// - Parameters:
    ///   - first: Folds an effect for the first time.
    ///   - limit: The number of steps to keep.
    mutating func carryOut(_ command: DevelopmentCommand, keeping limit: Int, _ fold: Fold, first: Fold) {
        switch command {
        case .skip(let number):
            skipped.insert(number)
            foldAgain(fold)
        case .restore(let number):
            skipped.remove(number)
            foldAgain(fold)
        case .jump(let number):
            position = number
            display(fold)
        case .pause: isPaused = true
        case .resume:
            if isPaused { forget() }
            isPaused = false
        case .lock: isLocked = true
        case .unlock:
            isLocked = false
            let held = held
            self.held = []
            for (effect, cause) in held {
                do {
                    try take(effect, cause: cause, keeping: limit, fold, first: first)
                } catch {
                    note(effect, cause, .rejected, keeping: limit, fold)
                }
            }
        }
    }

    /// Recomputes the latest and the displayed state, after the set of skipped steps has changed.
    private mutating func foldAgain(_ fold: Fold) {
        revision += 1
        latest = base
        for index in steps.indices {
            steps[index].outcome = isSkipped(steps[index]) ? .skipped : .inEffect
            guard steps[index].outcome == .inEffect, case .effect(let effect, _) = steps[index].content else { continue }
            do { try fold(&latest, effect) } catch { steps[index].outcome = .rejected }
        }
        display(fold)
    }

    private func isSkipped(_ step: Step) -> Bool {
        if skipped.contains(step.number) { return true }
        if case .effect(_, let cause) = step.content { return skipped.contains(cause) }
        return false
    }

    /// Recomputes the displayed state for the position. A state older than the kept steps is unchanged.
    private mutating func display(_ fold: Fold) {
        guard let position else {
            displayed = latest
            return
        }
        guard positions.contains(position) else { return }
        displayed = base
        for step in steps where step.number <= position { Self.fold(step, into: &displayed, fold) }
    }
}
