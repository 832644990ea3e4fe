import Moonlight
import Streams

extension Plan {
    /// Plays the plan, its forks included.
    ///
    /// - Returns: What happened, as a text.
    /// - Throws: The first failure, a ``PlanFailure``.
    @discardableResult
    public func run() throws(PlanFailure) -> Story {
        guard token.run() else {
            throw PlanFailure("this plan was run before: run it once, or make another with a further step", at: place)
        }
        var player = Player(blueprint: blueprint, place: place)
        player.story.tell { "Given" }
        player.story.tell(details: { [given = blueprint.given] in Differences.fields(of: given) })
        do {
            try player.play(steps)
            return player.story
        } catch {
            var failure = error
            failure.story = player.story.description
            throw failure
        }
    }

    /// Plays the plan, and hands a failure on: to a test framework, which shows it at its line; see ``PlanFailure``.
    ///
    /// - Returns: What happened; nil if it failed.
    @discardableResult
    public func run(_ record: (PlanFailure) -> Void) -> Story? {
        do { return try run() } catch {
            record(error)
            return nil
        }
    }

    /// Plays the plan, and compares its story with a text: a change of behaviour shows as a difference of the two.
    ///
    /// - Throws: Also if the story differs: then the error says in which lines.
    @discardableResult
    public func run(
        telling text: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(PlanFailure) -> Story {
        let story = try run()
        if story.description == text { return story }
        let lines = Differences.lines(expected: text, actual: story.description)
        throw PlanFailure(
            "the story is another (- expected, + told):\n\(lines.joined(separator: "\n"))\nIt is now:\n\(story)",
            at: SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }
}

/// Plays steps in worlds.
private struct Player<State: Equatable, Event, Effect> {
    let blueprint: Blueprint<State, Event, Effect>
    let place: SourcePlace
    var story = Story()
    /// What has been done, to be done again in a fork's world.
    private var past: [PlanStep<State, Event, Effect>] = []

    init(blueprint: Blueprint<State, Event, Effect>, place: SourcePlace) {
        (self.blueprint, self.place) = (blueprint, place)
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

    /// A world like another: made of its state, if that is all there is; else by playing its past again.
    private func fork(_ world: PlanWorld<State, Event, Effect>) throws(PlanFailure) -> PlanWorld<State, Event, Effect> {
        if world.isQuiet {
            let copy = PlanWorld(blueprint, world.state, at: world.scheduler.now)
            (copy.mayBeAlive, copy.mayBeHeld) = (world.mayBeAlive, world.mayBeHeld)
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

    /// Turns whatever is thrown into a failure of a step.
    private func failing(at place: SourcePlace, _ body: () throws -> Void) throws(PlanFailure) {
        do { try body() } catch let failure as PlanFailure { throw failure } catch let fault as PlanFault {
            throw PlanFailure(fault.message, at: place)
        } catch { throw PlanFailure("\(error)", at: place) }
    }
}
