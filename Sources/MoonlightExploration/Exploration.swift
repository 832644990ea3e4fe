import Moonlight
import MoonlightTesting
import Streams

/// Tries everything that can happen to a reducer: each event at each moment, and each answer, failure and timer in each order.
///
/// ```swift
/// try Exploration(search, given: Search()) { World(find: $0.async(find)) }
///     .events([.typed("mo"), .typed("moon"), .clear], atMost: 3)
///     .answers(find, with: [["moonlight"]], failing: [Offline()])
///     .always("what is found belongs to the question") { $0.found.isEmpty || $0.foundFor == $0.query }
///     .whenQuiet("nothing is left spinning") { !$0.isLoading }
///     .run()
/// ```
/// The reducer runs as it ships: in a loop, with the environment that the closure makes of `Stubs`, in virtual time. From each
/// moment, every choice is tried, breadth first, so that the story of a violation is a shortest one. Moments with the same future
/// are tried once; see ``run()``.
///
/// An exploration is a value. It depends on no test framework: ``run()`` throws an ``ExplorationFailure``.
public struct Exploration<State: Equatable, Event, Effect, Environment> {
    let reducer: Reducer<State, Event, Effect, Environment>
    let given: State
    let environment: @Sendable (Stubs) -> Environment
    let feedback: (@Sendable (AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])?
    let keys: StateKeys<State>
    /// Returns what tells events apart.
    let eventKey = distinguishing(Event.self)
    /// Tries events by values, as the caller's module has compiled it.
    let trial: ValueTrial<State, Event, Environment>
    /// Starts loops, as the caller's module has compiled them.
    let loop: PlayLoop<State, Event, Effect, Environment>
    let place: SourcePlace
    var sources: [EventSource<State, Event>] = []
    /// Whether feedback depends on nothing but the last state.
    var feedbackForgets = false
    var rules: [String: CallRule] = [:]
    var properties: [Property<State>] = []
    var limits = ExplorationLimits()
    var deadEnds: DeadEnds<State>?
    var hasCancellations = false
    var threads = 1
    var triesAllOrders = false
    var isDrawn = false
    var isCovered = false
    var kind: ((State) -> String)?
    var label: (@Sendable (State) -> String)?
    var isExpectedRefusal: (@Sendable (any Error) -> Bool)?

    /// Creates an exploration of a reducer whose states are Hashable.
    ///
    /// - Parameters:
    ///   - reducer: The reducer.
    ///   - state: The initial state.
    ///   - feedback: Returns streams of events, given the states and the environment, as in the program. Moments of a program with
    ///     feedback are the same only if feedback has seen the same states.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - environment: Makes the environment out of `Stubs`; called at each play from the beginning. What it returns must have
    ///     no memory of its own that outlives an effect.
    @inlinable
    public init(
        _ reducer: Reducer<State, Event, Effect, Environment>, given state: State,
        feedback: (@Sendable (AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        environment: @escaping @Sendable (Stubs) -> Environment
    ) where State: Hashable {
        let keys = StateKeys<State>()
        self.init(
            reducer, state, environment, feedback, keys, ValueTrial(reducer, print: keys.print), PlayLoop(reducer),
            SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    /// Creates an exploration of a reducer with a key for its states.
    ///
    /// - Parameters:
    ///   - reducer: The reducer.
    ///   - state: The initial state.
    ///   - key: Returns what tells states apart: states with equal keys must have the same future.
    ///   - feedback: Returns streams of events, given the states and the environment, as in the program.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - environment: Makes the environment out of `Stubs`; called at each play from the beginning.
    @inlinable
    public init<Key: Hashable>(
        _ reducer: Reducer<State, Event, Effect, Environment>, given state: State, key: @escaping @Sendable (State) -> Key,
        feedback: (@Sendable (AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        environment: @escaping @Sendable (Stubs) -> Environment
    ) {
        let keys = StateKeys(key)
        self.init(
            reducer, state, environment, feedback, keys, ValueTrial(reducer, print: keys.print), PlayLoop(reducer),
            SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    @usableFromInline
    init(
        _ reducer: Reducer<State, Event, Effect, Environment>, _ state: State,
        _ environment: @escaping @Sendable (Stubs) -> Environment,
        _ feedback: (@Sendable (AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>])?,
        _ keys: StateKeys<State>, _ trial: ValueTrial<State, Event, Environment>,
        _ loop: PlayLoop<State, Event, Effect, Environment>, _ place: SourcePlace
    ) {
        (self.reducer, given, self.environment, self.feedback) = (reducer, state, environment, feedback)
        (self.keys, self.trial, self.loop, self.place) = (keys, trial, loop, place)
    }

    // MARK: What can happen

    /// Returns the exploration with further events that can come from outside, at any moment.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - count: The number of these events that come in one story; nil for any number.
    public func events(_ events: [Event], atMost count: Int? = nil) -> Self {
        changed { $0.sources.append(EventSource(events: { _ in events }, most: count)) }
    }

    /// Returns the exploration with further events that can come from outside, depending on the state.
    ///
    /// - Parameters:
    ///   - count: The number of these events that come in one story; nil for any number.
    ///   - events: Returns the events that can come in a state. Must depend on nothing else.
    public func events(atMost count: Int? = nil, _ events: @escaping @Sendable (State) -> [Event]) -> Self {
        changed { $0.sources.append(EventSource(events: events, most: count)) }
    }

    /// Returns the exploration with the outcomes of a stub's calls.
    ///
    /// A call that is open gets one of the outcomes at some later moment, or is cancelled before.
    ///
    /// - Parameters:
    ///   - stub: The stub.
    ///   - outputs: The values that a call may answer with.
    ///   - errors: The errors that a call may fail with.
    ///   - never: Whether a call may also stay open for good.
    @inlinable
    public func answers<Input, Output, Failure>(
        _ stub: Stub<Input, Output, Failure>, with outputs: [Output] = [], failing errors: [Failure] = [], never: Bool = false
    ) -> Self where Output: Sendable {
        answers(stub, never: never) { _ in outputs.map { .answer($0) } + errors.map { .failure($0) } }
    }

    /// Returns the exploration with the outcomes of a stub's calls, depending on their arguments.
    ///
    /// - Parameters:
    ///   - stub: The stub.
    ///   - never: Whether a call may also stay open for good.
    ///   - mostValues: The number of values that a stream may send before it ends.
    ///   - outcomes: Returns the outcomes of a call. Must depend on nothing but the arguments.
    @inlinable
    public func answers<Input, Output, Failure>(
        _ stub: Stub<Input, Output, Failure>, never: Bool = false, atMost mostValues: Int = 1,
        _ outcomes: @escaping @Sendable (Input) -> [CallOutcome<Output, Failure>]
    ) -> Self {
        ruled(stub.name, CallRule(stub, never: never, mostValues: mostValues, outcomes))
    }

    @usableFromInline
    func ruled(_ name: String, _ rule: CallRule) -> Self { changed { $0.rules[name] = rule } }

    /// Returns the exploration with cancellations: at any moment, each live effect may be cancelled from outside, as the system
    /// cancels a task, and so may the loop.
    ///
    /// What an effect owes that is cancelled is still owed, as it is by a program that waits for an answer that never comes:
    /// ``eventually(_:fileID:file:line:column:after:until:)`` finds it. Of a loop that is cancelled nothing is expected.
    public func cancelsAnywhere() -> Self { changed { $0.hasCancellations = true } }

    /// Returns the exploration with the promise that feedback remembers nothing but the last state: it consists of reactions
    /// (`react(to:)` and its kind) and rules, and of operators that remember nothing, such as `map`.
    ///
    /// Otherwise what feedback does next may depend on all states that it has ever been told. Then no story with feedback comes back
    /// to a moment where it has been before, and a program that goes on for good has no end, and no cycle to be found.
    ///
    /// It is an error if feedback waits for a call or a timer outside a reaction. That it remembers in another way, as with `scan`,
    /// is not noticed.
    public func feedbackRemembersLastState() -> Self { changed { $0.feedbackForgets = true } }

    /// Returns the exploration with events and effects that may be refused, by an error that `transform` or `apply` throws.
    ///
    /// Without this, each refusal is a violation.
    ///
    /// - Parameter isExpected: Returns whether an error is an expected one.
    public func allowingRefusals(_ isExpected: @escaping @Sendable (any Error) -> Bool = { _ in true }) -> Self {
        changed { $0.isExpectedRefusal = isExpected }
    }

    // MARK: What must hold

    /// Returns the exploration with a property of all states that observers see.
    ///
    /// - Parameters:
    ///   - name: What holds, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - holds: Returns whether it holds in a state.
    public func always(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ holds: @escaping @Sendable (State) -> Bool
    ) -> Self {
        changed {
            $0.properties.append(
                Property(
                    name: name, kind: .always(holds),
                    place: SourcePlace(fileID: fileID, file: file, line: line, column: column)))
        }
    }

    /// Returns the exploration with what must be true of no state that observers see.
    ///
    /// - Parameters:
    ///   - name: What never happens, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - happens: Returns whether it is the case in a state.
    public func never(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ happens: @escaping @Sendable (State) -> Bool
    ) -> Self {
        changed {
            $0.properties.append(
                Property(
                    name: "never: \(name)", kind: .always { !happens($0) },
                    place: SourcePlace(fileID: fileID, file: file, line: line, column: column)))
        }
    }

    /// Returns the exploration with a property of the states in which nothing is live: no effect, no timer.
    ///
    /// - Parameters:
    ///   - name: What holds, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - holds: Returns whether it holds in a state.
    public func whenQuiet(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ holds: @escaping @Sendable (State) -> Bool
    ) -> Self {
        changed {
            $0.properties.append(
                Property(
                    name: name, kind: .whenQuiet(holds),
                    place: SourcePlace(fileID: fileID, file: file, line: line, column: column)))
        }
    }

    /// Returns the exploration with what must happen in the end, each time that something else has happened.
    ///
    /// It is assumed that an open call gets an outcome in the end, unless its rule says `never`, that time goes on, and that
    /// events from outside cease to come.
    ///
    /// - Parameters:
    ///   - name: What happens, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - trigger: Returns whether a state asks for it; nil if every state does.
    ///   - goal: Returns whether it has happened in a state.
    public func eventually(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        after trigger: (@Sendable (State) -> Bool)? = nil, until goal: @escaping @Sendable (State) -> Bool
    ) -> Self {
        changed {
            $0.properties.append(
                Property(
                    name: name, kind: .eventually(after: trigger, until: goal),
                    place: SourcePlace(fileID: fileID, file: file, line: line, column: column)))
        }
    }

    /// Returns the exploration with what can be reached from every moment, by some choices.
    ///
    /// Where events are limited by `atMost`, moments that differ only in how many have come count as one: what was tried at one of
    /// them could be done at the others, too. A moment that was only found when no further event may come is not asked.
    ///
    /// - Parameters:
    ///   - name: What can be reached, in words.
    ///   - fileID: The file of this call, for the source of a plan.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - goal: Returns whether it is reached in a state.
    public func canAlways(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        to goal: @escaping @Sendable (State) -> Bool
    ) -> Self {
        changed {
            $0.properties.append(
                Property(
                    name: "can always \(name)", kind: .canAlways(goal),
                    place: SourcePlace(fileID: fileID, file: file, line: line, column: column)))
        }
    }

    /// Returns the exploration with the claim that something can go on from everywhere: that there is no moment at which nothing
    /// is live, and no event changes anything.
    ///
    /// Moments at which no further event may come, because of `atMost`, are not asked.
    ///
    /// - Parameter isEnd: Returns whether nothing need go on in a state.
    public func noDeadEnds(except isEnd: (@Sendable (State) -> Bool)? = nil) -> Self {
        changed { $0.deadEnds = DeadEnds(isEnd: isEnd) }
    }

    // MARK: Pictures

    /// Returns the exploration with a picture in its report, in which states with the same label are one.
    ///
    /// - Parameter label: Returns the label of a state.
    public func drawn(by label: @escaping @Sendable (State) -> String) -> Self {
        changed {
            $0.isDrawn = true
            $0.label = label
        }
    }

    /// Returns the exploration with a picture in its report, of all states.
    public func drawn() -> Self { changed { $0.isDrawn = true } }

    /// Returns the exploration with a coverage in its report: which events were tried in which kind of state, and which effects,
    /// calls and outcomes never happened.
    ///
    /// - Parameter kind: Returns the kind of a state, such as the case of an enum.
    public func covered(by kind: @escaping @Sendable (State) -> String) -> Self {
        changed {
            $0.isCovered = true
            $0.kind = kind
        }
    }

    /// Returns the exploration with a coverage in its report, by the case of the state, or the cases of its fields that are enums.
    public func covered() -> Self { changed { $0.isCovered = true } }

    // MARK: How it is done

    /// Returns the exploration with limits, so that it ends although not everything has been tried. The verdict says so.
    ///
    /// - Parameters:
    ///   - moments: The number of moments that are kept; by default ten million.
    ///   - depth: The number of choices in a story; nil for any number.
    ///   - memory: The bytes by which the process may grow; nil for any number.
    ///   - choice: The time that the reducer may take for one choice. One that takes longer is a violation, as if it never ended;
    ///     by default ten seconds.
    public func limited(moments: Int? = nil, depth: Int? = nil, memory: Int? = nil, choice: Duration? = nil) -> Self {
        changed {
            if let moments { $0.limits.moments = moments }
            if let depth { $0.limits.depth = depth }
            if let memory { $0.limits.memory = memory }
            if let choice { $0.limits.choice = choice }
        }
    }

    /// Returns the exploration on as many threads as the machine has cores. The verdict and the shortest story are the same.
    public func onAllCores() -> Self where State: Sendable, Event: Sendable { changed { $0.threads = Crew.cores } }

    /// Returns the exploration with all moments compared whole.
    ///
    /// Otherwise the first 100,000 are, and beyond, a fingerprint of 64 bits stands for each; the verdict then says how probable it
    /// is that two different moments were taken for one.
    public func withoutFingerprints() -> Self { changed { $0.limits.mostWhole = .max } }

    /// Returns the exploration with independent choices in all orders.
    ///
    /// Otherwise, an outcome of a call that only lets its own effect go on is given at once, and not also after what others do:
    /// it sends nothing, nothing begins or ends by it, and it sets no timer, so nothing else can tell whether it has come. That
    /// is not done if something must happen `eventually`, nor for a picture.
    public func tryingAllOrders() -> Self { changed { $0.triesAllOrders = true } }

    func changed(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

/// The limits of an exploration.
struct ExplorationLimits {
    var moments = 10_000_000
    var depth = Int.max
    var memory = Int.max
    var choice = Duration.seconds(10)
    /// The number of moments that are compared whole.
    var mostWhole = 100_000
    /// The number of events and effects that may follow from one choice.
    let chain = 100_000
}

/// Where dead ends are allowed.
struct DeadEnds<State> {
    let isEnd: (@Sendable (State) -> Bool)?
}

/// Events that can come from outside.
struct EventSource<State, Event> {
    let events: (State) -> [Event]
    let most: Int?
}

/// What tells states apart.
@usableFromInline
struct StateKeys<State> {
    @usableFromInline let key: (State) -> AnyHashable
    @usableFromInline let print: (State) -> UInt64
    @usableFromInline let isSame: (State, State) -> Bool

    /// Tells states apart by a key.
    @inlinable
    init<Key: Hashable>(_ key: @escaping (State) -> Key) {
        self.key = { AnyHashable(OneOf(value: key($0))) }
        print = { UInt64(bitPattern: Int64(key($0).hashValue)) }
        isSame = { key($0) == key($1) }
    }

    /// Tells states apart by themselves.
    @inlinable
    init() where State: Hashable { self.init { $0 } }
}

/// A value as `AnyHashable` takes it whole: an array by itself would be hashed and compared element by element, each boxed.
@usableFromInline
struct OneOf<Value: Hashable>: Hashable {
    @usableFromInline let value: Value
    @inlinable init(value: Value) { self.value = value }
}

/// What must hold, with its name.
struct Property<State> {
    enum Kind {
        case always((State) -> Bool)
        case whenQuiet((State) -> Bool)
        case eventually(after: ((State) -> Bool)?, until: (State) -> Bool)
        case canAlways((State) -> Bool)
    }

    let name: String
    let kind: Kind
    let place: SourcePlace
    /// Where the child is named whose state it is about; nil for the whole state.
    var scope: SourcePlace?
}
