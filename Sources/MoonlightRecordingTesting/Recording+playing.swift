import Moonlight
import MoonlightRecording
import MoonlightTesting
import Streams

/// An error that was recorded as a text, because its type is not known statically.
struct RecordedFailure: Error, CustomStringConvertible {
    let description: String
}

extension Recording {
    /// Returns a plan that replays the recording up to a step, and can continue with other events and answers.
    ///
    /// ```swift
    /// try recording.plan(of: app, to: 40) { stubs in World(find: stubs.async(find), now: stubs.function(now, returning: { 0 })) }
    ///     .when(.cancelled)
    ///     .resolve(find("mo"), with: [])
    ///     .then(\.found, equals: nil)
    ///     .ignoringCalls().ignoringInFlight()
    ///     .run()
    /// ```
    /// The environment does not run: the stubs give the recorded answers. A plain function returns its recorded results; the
    /// closure in `returning:` is called only for calls that are not in the recording.
    ///
    /// - Parameters:
    ///   - reducer: The reducer.
    ///   - last: The number of the last step to replay; by default the last of all.
    ///   - feedback: Returns streams of events, as in the program.
    ///   - environment: Creates the environment from stubs.
    /// - Throws: ``RecordingError/undecodable(what:step:reason:)`` if the state or an event is not `Codable`.
    public func plan<Environment>(
        of reducer: Reducer<State, Event, Effect, Environment>, to last: Int = .max,
        feedback: ((AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])? = nil,
        environment: @escaping (Stubs) -> Environment
    ) throws(RecordingError) -> Plan<State, Event, Effect, Environment> {
        let script = try Script(reader, to: last, hasFeedback: feedback != nil)
        return try plan(of: reducer, script, feedback: feedback, environment: environment) { plan, _ in plan }
    }

    func plan<Environment>(
        of reducer: Reducer<State, Event, Effect, Environment>, _ script: Script,
        feedback: ((AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])?,
        environment: @escaping (Stubs) -> Environment,
        then next: (Plan<State, Event, Effect, Environment>, Int) -> Plan<State, Event, Effect, Environment>
    ) throws(RecordingError) -> Plan<State, Event, Effect, Environment> {
        let given = try state(at: script.start, by: reducer)
        let results = script.results
        let isRedacted = reader.header.isRedacted
        var plan = Plan(reducer, given: given, feedback: feedback) { stubs in
            var stubs = stubs
            let taken = Taken(results)
            stubs.results = { name, type in
                guard let json = taken.next(name) else { return nil }
                return try? Encoding.value(type, of: json)
            }
            return environment(stubs)
        }
        if !script.rejections.isEmpty { plan = plan.ignoringRefusals() }
        for (index, action) in script.actions.enumerated() {
            switch action.what {
            case .event(_, let json, _): plan = plan.when(try decode(Event.self, json, "the event", before: action.step))
            case .time(let span): plan = plan.advance(by: .nanoseconds(span))
            case .answer(let answer, let number):
                plan = plan.answering(
                    answer.name, call: answer.call, number: number, mayDiffer: isRedacted, isLate: answer.isLate,
                    title: Script.title(of: action), at: SourcePlace(), with: Self.erased(answer))
            }
            plan = next(plan, index)
        }
        return plan
    }

    private static func erased(_ answer: Script.Answer) -> ErasedAnswer {
        let make: (Any.Type) throws -> Any = { type in
            do throws(EncodingFault) {
                if type == (any Error).self { return RecordedFailure(description: answer.text) }
                return try Encoding.value(type, of: answer.json)
            } catch { throw ErasedAnswerFault(description: error.reason) }
        }
        switch answer.outcome {
        case .value: return .value(make)
        case .failure: return .failure(make)
        case .sent: return .sent(make)
        case .finished, .cancelled: return .finished
        }
    }

    /// Replays the recording through a reducer, and returns the first difference.
    ///
    /// The events and answers are those of the recording, and the resulting states are compared after each of them. A test can
    /// thus show how a change of the reducer affects an earlier session.
    ///
    /// - Parameters:
    ///   - reducer: The reducer, changed or not.
    ///   - feedback: Returns streams of events, as in the program.
    ///   - environment: Creates the environment from stubs, which give the recorded answers.
    /// - Returns: The first difference; nil if there is none.
    /// - Throws: ``RecordingError/undecodable(what:step:reason:)`` if the state or an event is not `Codable`.
    public func firstDifference<Environment>(
        from reducer: Reducer<State, Event, Effect, Environment>,
        feedback: ((AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])? = nil,
        environment: @escaping (Stubs) -> Environment
    ) throws(RecordingError) -> RecordedDifference? {
        let reader = reader
        let script = try Script(reader, hasFeedback: feedback != nil)
        let states = try reader.states(at: Set(script.actions.filter(\.isSettled).map { max(script.start, $0.last) }))
        let found = Found()
        var plan = try plan(of: reducer, script, feedback: feedback, environment: environment) { plan, index in
            plan.looking { state, _, _ in
                found.place = index + 1
                let action = script.actions[index]
                guard found.difference == nil, action.isSettled else { return }
                guard let recorded = states[max(script.start, action.last)] else { return }
                let now = TreeMaker.tree(of: state)
                let shown = Self.unredacted(recorded, now, reader.header.redacted)
                let changes = shown.changes(to: now)
                if changes.isEmpty { return }
                found.difference = RecordedDifference(
                    step: action.step, action: Self.title(of: action), reason: "",
                    changes: RecordedStep.changes(changes, before: shown))
            }
        }
        plan = plan.ignoringCalls().ignoringInFlight().ignoringRelease()
        do throws(PlanFailure) {
            try plan.run()
            return found.difference
        } catch {
            if let difference = found.difference { return difference }
            guard script.actions.indices.contains(found.place) else { throw .question(error.message) }
            let action = script.actions[found.place]
            return RecordedDifference(step: action.step, action: Self.title(of: action), reason: error.message, changes: [])
        }
    }

    /// Returns a recorded state in which redacted values are replaced by the current ones, since their difference is unknown.
    private static func unredacted(_ recorded: StateTree, _ now: StateTree, _ paths: [String]) -> StateTree {
        var tree = recorded
        for path in paths.map({ $0.split(separator: ".").map(String.init) }) {
            if tree[path] != nil, let part = now[path] { tree.apply(TreeChange(path, part)) }
        }
        return tree
    }

    private static func title(of action: Script.Action) -> String {
        switch action.what {
        case .event(_, _, let text): text
        case .time(let span): "the passing of \(Duration.nanoseconds(span))"
        case .answer(let answer, _): "the answer \(answer.text) of \(answer.call)"
        }
    }
}

/// The findings of a replay so far. Used on the thread that runs the plan.
final class Found: @unchecked Sendable {
    // Sound: a plan runs on one thread, which has created this object.
    var difference: RecordedDifference?
    var place = 0
    var holds = false
}

/// The recorded results of plain functions, one after another.
private final class Taken: @unchecked Sendable {
    // Sound: the results do not change, and the number of those that were taken is behind a lock.
    private let results: [String: [(source: String, json: String, step: Int)]]
    private let taken = Lock<[String: Int]>([:])

    init(_ results: [String: [(source: String, json: String, step: Int)]]) { self.results = results }

    func next(_ name: String) -> String? {
        guard let all = results[name] else { return nil }
        let place = taken.withLock { taken in
            defer { taken[name, default: 0] += 1 }
            return taken[name, default: 0]
        }
        return all.indices.contains(place) ? all[place].json : nil
    }
}

/// The first step of a recording whose consequences differ with a reducer.
public struct RecordedDifference: Sendable, Hashable, CustomStringConvertible {
    /// The number of the step whose consequences differ: an event or an answer.
    public let step: Int
    /// The event, or the answer.
    public let action: String
    /// The reason, if the difference is not only in the state.
    public let reason: String
    /// The parts of the state that differ: `before` is the recorded value, `after` is the value of this reducer.
    public let changes: [RecordedStep.Change]

    /// The step and the differences, on one line.
    public var description: String {
        let parts =
            (reason.isEmpty ? [] : [reason])
            + changes.map { change in
                "\(change.path): it was \(change.before ?? "nothing"), and is now \(change.after ?? "nothing")"
            }
        return "after step \(step), \(action): \(parts.joined(separator: "; "))".escapingControls
    }
}
