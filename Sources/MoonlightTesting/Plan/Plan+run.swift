import Moonlight
import Streams

extension Plan {
    /// Runs the plan, including its forks.
    ///
    /// - Returns: A text of what happened.
    /// - Throws: The first failure.
    @discardableResult
    public func run() throws(PlanFailure) -> Story {
        guard token.run() else {
            throw PlanFailure("this plan was run before: run it once, or make another with a further step", at: place)
        }
        var player = Player(blueprint: blueprint, place: place)
        player.story.tell { "Given" }
        player.story.tell(details: { [given = blueprint.given] in Differences.fields(of: given) })
        do {
            try player.play(contents.steps)
            return player.story
        } catch {
            var failure = error
            failure.story = player.story.description
            throw failure
        }
    }

    /// Runs the plan, and passes a failure to a closure, which reports it to a test framework at the line of the step; see
    /// ``PlanFailure``.
    ///
    /// - Parameter record: Called with the first failure, if there is one.
    /// - Returns: A text of what happened; nil if the plan failed.
    @discardableResult
    public func run(_ record: (PlanFailure) -> Void) -> Story? {
        do { return try run() } catch {
            record(error)
            return nil
        }
    }

    /// Runs the plan, and compares its story with a text, so that a change of behavior shows as a difference between two texts.
    ///
    /// - Parameters:
    ///   - text: The expected story.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    /// - Returns: A text of what happened.
    /// - Throws: The first failure. If the story differs from the text, a failure that lists the lines that differ.
    @discardableResult
    public func run(
        telling text: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(PlanFailure) -> Story {
        let story = try run()
        if story.description == text { return story }
        let lines = Differences.lines(expected: text, actual: story.description)
        throw PlanFailure(
            "the story differs (- expected, + actual):\n\(lines.joined(separator: "\n"))\nIt is now:\n\(story)",
            at: SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }
}

/// Runs steps in worlds, and writes the story.
private struct Player<State: Equatable, Event, Effect> {
    let blueprint: Blueprint<State, Event, Effect>
    let place: SourcePlace
    var story = Story()
    /// The steps that were run and that affect the world, for replay in the world of a fork.
    private var past: [PlanStep<State, Event, Effect>] = []

    init(blueprint: Blueprint<State, Event, Effect>, place: SourcePlace) {
        self.blueprint = blueprint
        self.place = place
    }

    mutating func play(_ steps: [PlanStep<State, Event, Effect>]) throws(PlanFailure) {
        let world = PlanWorld(blueprint)
        tellResult(of: world)
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
        story.tell(step.title)
        switch step.kind {
        case .check(let check): try failing(at: step.place) { try check(world) }
        case .act(let act):
            world.beginStep()
            try failing(at: step.place) { try act(world) }
            tellResult(of: world)
            past.append(step)
        case .note(let note):
            try failing(at: step.place) { try note(world) }
            past.append(step)
        case .fork(let steps):
            story.depth += 1
            let before = past
            try play(steps, in: fork(world))
            past = before
            story.depth -= 1
        }
    }

    /// Returns a copy of a world for a fork. If the world holds nothing but its state, copies the state; otherwise replays the
    /// past steps.
    private func fork(_ world: PlanWorld<State, Event, Effect>) throws(PlanFailure) -> PlanWorld<State, Event, Effect> {
        if world.isQuiet {
            let copy = PlanWorld(blueprint, world.state, at: world.scheduler.now)
            (copy.mayBeAlive, copy.mayBeHeld, copy.mayRefuse) = (world.mayBeAlive, world.mayBeHeld, world.mayRefuse)
            copy.attachment = world.attachment
            return copy
        }
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

    private mutating func tellResult(of world: PlanWorld<State, Event, Effect>) {
        if let (before, after) = world.changeOfStep {
            story.tell(details: { Differences.change(from: before, to: after) })
        }
        let calls = world.callsOfStep
        if !calls.isEmpty { story.tell(details: { calls.map { "calls \($0)" } }) }
    }

    /// Runs a closure, and turns any error that it throws into a failure of a step.
    private func failing(at place: SourcePlace, _ body: () throws -> Void) throws(PlanFailure) {
        do { try body() } catch let failure as PlanFailure { throw failure } catch let fault as PlanFault {
            throw PlanFailure(fault.message, at: place)
        } catch { throw PlanFailure("\(error)", at: place) }
    }
}
