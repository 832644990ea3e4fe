import Moonlight
import Streams

extension Plan {
    /// Runs the plan, including its forks.
    ///
    /// - Returns: The trace of the run.
    /// - Throws: The first failure.
    @discardableResult
    public func run() throws(PlanFailure) -> PlanTrace {
        guard token.run() else {
            throw PlanFailure("this plan was run before: run it once, or make another with a further step", at: place)
        }
        var player = Player(blueprint: blueprint, place: place)
        player.trace.add { "Given" }
        player.trace.add(details: { [given = blueprint.given] in Differences.fields(of: given) })
        do {
            try player.play(contents.steps)
            return player.trace
        } catch {
            var failure = error
            failure.trace = player.trace.description
            throw failure
        }
    }

    /// Runs the plan, and passes a failure to a closure, which reports it to a test framework at the line of the step; see
    /// ``PlanFailure``.
    ///
    /// - Parameter record: Called with the first failure, if there is one.
    /// - Returns: The trace of the run; nil if the plan failed.
    @discardableResult
    public func run(_ record: (PlanFailure) -> Void) -> PlanTrace? {
        do { return try run() } catch {
            record(error)
            return nil
        }
    }

    /// Runs the plan, and compares its trace with a text, so that a change of behavior shows as a difference between two
    /// texts.
    ///
    /// - Parameters:
    ///   - text: The expected trace.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    /// - Returns: The trace of the run.
    /// - Throws: The first failure, or a failure with the lines in which the trace differs from the text.
    @discardableResult
    public func run(
        matching text: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(PlanFailure) -> PlanTrace {
        let trace = try run()
        if trace.description == text { return trace }
        let lines = Differences.lines(expected: text, actual: trace.description)
        throw PlanFailure(
            "the trace differs (- expected, + actual):\n\(lines.joined(separator: "\n"))\nIt is now:\n\(trace)",
            at: SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }
}

/// Runs steps in worlds, and writes the trace.
private struct Player<State: Equatable, Event, Effect> {
    let blueprint: Blueprint<State, Event, Effect>
    let place: SourcePlace
    var trace = PlanTrace()
    /// The steps that were run and that affect the world, for replay in the world of a fork.
    private var past: [PlanStep<State, Event, Effect>] = []

    init(blueprint: Blueprint<State, Event, Effect>, place: SourcePlace) {
        self.blueprint = blueprint
        self.place = place
    }

    mutating func play(_ steps: [PlanStep<State, Event, Effect>]) throws(PlanFailure) {
        let world = PlanWorld(blueprint)
        addResult(of: world)
        try play(steps, in: world)
    }

    private mutating func play(
        _ steps: [PlanStep<State, Event, Effect>], in world: PlanWorld<State, Event, Effect>
    ) throws(PlanFailure) {
        var last = place
        do throws(PlanFailure) {
            for step in steps {
                last = step.place
                try play(step, in: world)
            }
            try failing(at: last) { try world.end() }
        } catch {
            world.abandon()
            throw error
        }
    }

    private mutating func play(
        _ step: PlanStep<State, Event, Effect>, in world: PlanWorld<State, Event, Effect>
    ) throws(PlanFailure) {
        trace.add(step.title)
        switch step.kind {
        case .check(let check): try failing(at: step.place) { try check(world) }
        case .act(let act):
            try failing(at: place) { try world.checkBeginning() }
            world.beginStep()
            try failing(at: step.place) { try act(world) }
            addResult(of: world)
            past.append(step)
        case .note(let note):
            try failing(at: step.place) { try note(world) }
            past.append(step)
        case .fork(let steps):
            trace.depth += 1
            let before = past
            try play(steps, in: fork())
            past = before
            trace.depth -= 1
        }
    }

    /// Returns a world for a fork, in which the past steps were run.
    private func fork() throws(PlanFailure) -> PlanWorld<State, Event, Effect> {
        let copy = PlanWorld(blueprint)
        for step in past {
            switch step.kind {
            case .act(let act):
                copy.beginStep()
                try failing(at: step.place) { try act(copy) }
            case .note(let note): try failing(at: step.place) { try note(copy) }
            case .check, .fork: break
            }
        }
        return copy
    }

    private mutating func addResult(of world: PlanWorld<State, Event, Effect>) {
        if let (before, after) = world.changeOfStep {
            trace.add(details: { Differences.change(from: before, to: after) })
        }
        let rules = world.blockedRulesOfStep
        if !rules.isEmpty { trace.add(details: { rules }) }
        let calls = world.callsOfStep
        if !calls.isEmpty { trace.add(details: { calls.map { "calls \($0)" } }) }
    }

    /// Runs a closure, and converts any error to a failure of a step.
    private func failing(at place: SourcePlace, _ body: () throws -> Void) throws(PlanFailure) {
        do { try body() } catch let failure as PlanFailure { throw failure } catch let fault as PlanFault {
            throw PlanFailure(fault.message, at: place)
        } catch { throw PlanFailure("\(error)", at: place) }
    }
}
