import Moonlight

/// Access to a plan's world for the steps of other modules.
///
/// `MoonPresentationTesting` builds its steps on it, so that this module does not depend on terminals.
package struct PlanStage<State: Equatable, Event, Effect> {
    private let world: PlanWorld<State, Event, Effect>

    init(_ world: PlanWorld<State, Event, Effect>) { self.world = world }

    /// The current state.
    package var state: State { world.state }

    /// A value that is passed from step to step. A fork gets its own from the earlier steps.
    package var attachment: Any? {
        get { world.attachment }
        nonmutating set { world.attachment = newValue }
    }

    /// Passes the journal records so far, and all later ones, to a function.
    package func observeJournal(_ observe: @escaping (JournalRecord<State, Event, Effect>) -> Void) {
        for record in world.journal.records { observe(record) }
        world.journal.observer = observe
    }

    /// Sends an event. Throws if the event, or anything that follows from it at the same virtual time, is rejected.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - allowingRefusals: True if the event may be rejected.
    package func send(_ event: Event, allowingRefusals: Bool) throws {
        guard let first = try world.send(event).first, !allowingRefusals, !world.mayRefuse else { return }
        let subject = first.isTheEvent ? ValueText.describe(event) : first.what
        throw PlanFault("\(subject) was rejected: \(located(first.error))\nIf that is right, write allowingRefusals: true")
    }
}

extension Plan {
    /// Adds a step of another module, which changes the world.
    package func acting(
        _ title: @autoclosure @escaping () -> String, at place: SourcePlace,
        _ act: @escaping (PlanStage<State, Event, Effect>) throws -> Void
    ) -> Self { acting(title(), place) { try act(PlanStage($0)) } }

    /// Adds a step of another module, which has no line in the trace, and is repeated for a fork.
    package func noting(at place: SourcePlace, _ note: @escaping (PlanStage<State, Event, Effect>) throws -> Void) -> Self {
        noting("", place) { try note(PlanStage($0)) }
    }

    /// Adds a step of another module, which checks the world, and leaves it unchanged.
    package func checking(
        _ title: @autoclosure @escaping () -> String, at place: SourcePlace,
        _ check: @escaping (PlanStage<State, Event, Effect>) throws -> Void
    ) -> Self { checking(title(), place) { try check(PlanStage($0)) } }
}

// Steps that a recording adds to a plan, given functions by name.
extension Plan {
    /// Answers a call that is given by its description.
    ///
    /// - Parameters:
    ///   - name: The name of the function.
    ///   - call: The description of the call, such as `find("mo")`; nil for any call of the function.
    ///   - number: The number of the call among these, counted from 1; nil for the oldest pending one.
    ///   - mayDiffer: True to answer the oldest pending call of the function if no such call is pending, since its arguments may
    ///     have been redacted.
    ///   - isLate: True to do nothing if the call is not pending, since it was cancelled.
    ///   - title: The line of the trace.
    ///   - answer: The answer.
    package func answering(
        _ name: String, call: String?, number: Int?, mayDiffer: Bool = false, isLate: Bool, title: String, at place: SourcePlace,
        with answer: ErasedAnswer
    ) -> Self {
        acting(title, place) { world in
            let all = world.log.records.filter { $0.name == name }
            var records = all.filter { call == nil || $0.description == call }
            let known = records
            var number = number
            if mayDiffer, !isLate, !records.contains(where: { $0.state == .waits || $0.isAwaited }) {
                (records, number) = (all, nil)
            }
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
                    "\(what) was not called; \(waiting.isEmpty ? "no call is pending" : "the pending calls are \(world.list(waiting))")"
                )
            }
            record.assert()
            let give: () -> Void
            do { give = try record.give(answer) } catch { throw PlanFault("\(record.description): \(error)") }
            world.perform(give)
            try world.checkRefusals()
        }
    }

    /// Inspects the state after a step, the rejections, and the calls that the step has made.
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
