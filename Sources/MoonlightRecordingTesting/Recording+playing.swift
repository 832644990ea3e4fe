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
    ///   - feedback: Returns streams of events, as in the program. If it waits for answers or time, its recorded events are sent
    ///     instead.
    ///   - environment: Creates the environment from stubs.
    /// - Throws: ``/MoonlightRecording/RecordingError/undecodable(what:step:reason:)`` if the state or an event is not `Codable`.
    public func plan<Environment>(
        of reducer: Reducer<State, Event, Effect, Environment>, to last: Int = .max,
        feedback: ((AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])? = nil,
        environment: @escaping (Stubs) -> Environment
    ) throws(RecordingError) -> Plan<State, Event, Effect, Environment> {
        let (script, feedback) = try script(to: last, feedback)
        return try plan(of: reducer, script, feedback: feedback, environment: environment) { plan, _ in plan }
    }

    /// Returns the script of a replay, and its feedback: nil if the events of the feedback are played as events from outside.
    func script<Feedback>(to last: Int = .max, _ feedback: Feedback?) throws(RecordingError) -> (Script, Feedback?) {
        let script = try Script(reader, to: last, hasFeedback: feedback != nil, givesAtOnce: true)
        if feedback == nil || !script.feedbackWaits { return (script, feedback) }
        return (try Script(reader, to: last, givesAtOnce: true), nil)
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
        let fault = Lock<String?>(nil)
        var plan = Plan(reducer, given: given, feedback: feedback) { stubs in
            var stubs = stubs
            let (taken, given) = (Taken(results), Taken(script.answersAtOnce))
            stubs.results = { name, type in
                guard let result = taken.next(name) else { return nil }
                return try? Encoding.value(type, of: result.json)
            }
            if !script.answersAtOnce.isEmpty {
                stubs.answerAtOnce = { call in
                    for given in given.next(script.answerKey(call.name, call.description))?.answers ?? [] {
                        do { try call.give(Self.erased(given.answer))() } catch {
                            fault.withLock { $0 = $0 ?? "\(call.description): \(error)" }
                        }
                    }
                }
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
            if !script.answersAtOnce.isEmpty {
                plan = plan.checking("", at: SourcePlace()) { _ in
                    if let text = fault.withLock({ $0 }) { throw PlanFault(text) }
                }
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
    ///   - feedback: Returns streams of events, as in the program. If it waits for answers or time, its recorded events are sent
    ///     instead.
    ///   - environment: Creates the environment from stubs, which give the recorded answers.
    /// - Returns: The first difference; nil if there is none.
    /// - Throws: ``/MoonlightRecording/RecordingError/undecodable(what:step:reason:)`` if the state or an event is not `Codable`;
    ///   ``/MoonlightRecording/RecordingError/question(_:)`` if the states differ only where kept steps follow from steps that are not kept.
    public func firstDifference<Environment>(
        from reducer: Reducer<State, Event, Effect, Environment>,
        feedback: ((AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])? = nil,
        environment: @escaping (Stubs) -> Environment
    ) throws(RecordingError) -> RecordedDifference? {
        let reader = reader
        let (script, feedback) = try script(feedback)
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
                if shown == now || shown.withoutSignsOfZero == now.withoutSignsOfZero { return }
                let changes = shown.changes(to: now)
                found.difference = RecordedDifference(
                    step: action.step, action: Self.title(of: action), reason: "",
                    changes: RecordedStep.changes(changes, before: shown))
            }
        }
        plan = plan.ignoringCalls().ignoringInFlight().ignoringRelease()
        do throws(PlanFailure) {
            try plan.run()
        } catch {
            if found.difference == nil {
                guard script.actions.indices.contains(found.place) else { throw .question(error.message) }
                let action = script.actions[found.place]
                found.difference = RecordedDifference(
                    step: action.step, action: Self.title(of: action), reason: error.message, changes: [])
            }
        }
        if let difference = found.difference, let foreign = script.firstForeign,
            script.actions.contains(where: { $0.step == difference.step && $0.last >= foreign })
        {
            throw .question(
                "the recording can be compared up to step \(foreign - 1): the next one follows from steps that are not kept, or from another loop"
            )
        }
        return found.difference
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

extension StateTree {
    /// The tree with zeros of one sign, since zeros are equal: a change from one to the other is not recorded.
    fileprivate var withoutSignsOfZero: StateTree {
        switch self {
        case .leaf(let text): text == "-0.0" ? .leaf("0.0") : self
        case .node(let shape, let head, let parts):
            .node(shape, head, parts.map { .init($0.name == "-0.0" ? "0.0" : $0.name, $0.value.withoutSignsOfZero) })
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

/// Recorded results or answers, one after another.
private final class Taken<Result: Sendable>: Sendable {
    private let results: [String: [Result]]
    private let taken = Lock<[String: Int]>([:])

    init(_ results: [String: [Result]]) { self.results = results }

    func next(_ name: String) -> Result? {
        guard let all = results[name] else { return nil }
        let place = taken.withLock { taken in
            defer { taken[name, default: 0] += 1 }
            return taken[name, default: 0]
        }
        return all.indices.contains(place) ? all[place] : nil
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
