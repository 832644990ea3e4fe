import Moonlight
import MoonlightTesting

/// Options of the report and of the search.
extension Exploration {
    // MARK: Pictures

    /// Returns the exploration with a picture in its report. States with the same label are one.
    ///
    /// - Parameter label: Returns the label of a state; by default its description.
    public func drawn(by label: (@Sendable (State) -> String)? = nil) -> Self {
        changed {
            $0.isDrawn = true
            $0.label = label
        }
    }

    /// Returns the exploration with a coverage in its report: the events that were tried in each kind of state, and the
    /// effects, calls and outcomes that never occurred.
    ///
    /// - Parameter kind: Returns the kind of a state; by default the case of the state, or the cases of its fields that are
    ///   enums.
    public func covered(by kind: (@Sendable (State) -> String)? = nil) -> Self {
        changed {
            $0.isCovered = true
            $0.kind = kind
        }
    }

    // MARK: Search

    /// Returns the exploration with limits. If one is reached, the report names it.
    ///
    /// An exploration ends by itself only if the states, the calls in flight and the timers are bounded. While you write one,
    /// begin with `.limited(nodes: 1000)`: the default is meant for long runs, and may take hours and gigabytes.
    ///
    /// - Parameters:
    ///   - nodes: The number of nodes to keep, at least 1; by default ten million.
    ///   - depth: The number of choices in a trace; nil for any number.
    ///   - memory: The number of bytes by which the process may grow; nil for any number.
    ///   - choice: The time that one choice may take, by default ten seconds. A choice that takes longer is a violation, as
    ///     if it never ended.
    public func limited(nodes: Int? = nil, depth: Int? = nil, memory: Int? = nil, choice: Duration? = nil) -> Self {
        changed {
            if let nodes { $0.limits.nodes = max(1, nodes) }
            if let depth { $0.limits.depth = depth }
            if let memory { $0.limits.memory = memory }
            if let choice { $0.limits.choice = choice }
        }
    }

    /// Returns the exploration on all cores of the machine. The verdict and the shortest counterexample stay the same.
    public func onAllCores() -> Self where State: Sendable, Event: Sendable { changed { $0.threads = WatchedThreads.cores } }

    /// Returns the exploration with a trace on standard error: a line before each choice, with the name of the choices so
    /// far, for ``replay(_:)``.
    ///
    /// If code crashes, which ends the process, the last line names the choices that caused it. A traced exploration runs on
    /// one thread, and takes much longer.
    public func tracing() -> Self {
        changed { $0.trace = { ProgressTerminal.standardError.write($0.escapingControlsInLines + "\n") } }
    }

    /// Returns the exploration with all nodes compared as a whole.
    ///
    /// Otherwise, only the first 100,000 are; each further one is represented by a 64-bit fingerprint, and the report states
    /// the probability that two different nodes were taken for one.
    public func withoutFingerprints() -> Self { changed { $0.limits.mostWhole = .max } }

    /// Returns the exploration with independent choices in all orders.
    ///
    /// Otherwise, an outcome that only its own effect can observe is given at once, and not also after other choices: one
    /// that sends nothing, begins or ends no effect, sets no timer, and looks for no job. This reduction is not used with a picture or a
    /// property of the kind `eventually`, nor for the verdict on a limited depth.
    package func tryingAllOrders() -> Self { changed { $0.triesAllOrders = true } }
}

/// The limits of an exploration.
struct ExplorationLimits {
    var nodes = 10_000_000
    var depth = Int.max
    var memory = Int.max
    var choice = Duration.seconds(10)
    /// The number of nodes that are compared as a whole.
    var mostWhole = 100_000
    /// The number of events and effects that may follow from one choice.
    var chain = 100_000
}

/// The states in which dead ends are allowed.
struct DeadEnds<State> {
    let isEnd: (@Sendable (State) -> Bool)?
}

/// Events that can come from outside.
struct EventSource<State, Event> {
    let events: (State) -> [Event]
    let most: Int?
}

/// Choices: outcomes, cancellations and rejections.
extension Exploration {
    /// Returns the exploration with the outcomes of a stub's calls.
    ///
    /// An open call receives one of the outcomes in a later step, or is cancelled before.
    ///
    /// - Parameters:
    ///   - stub: The stub.
    ///   - outputs: The values that a call may answer with.
    ///   - errors: The errors that a call may fail with.
    ///   - never: True if a call may also stay open forever.
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
    ///   - never: True if a call may also stay open forever.
    ///   - mostValues: The number of values that a stream may send before it ends.
    ///   - outcomes: Returns the outcomes of a call. Must depend only on the arguments.
    @inlinable
    public func answers<Input, Output, Failure>(
        _ stub: Stub<Input, Output, Failure>, never: Bool = false, atMost mostValues: Int = 1,
        _ outcomes: @escaping @Sendable (Input) -> [CallOutcome<Output, Failure>]
    ) -> Self {
        ruled(stub.name, CallRule(stub, never: never, mostValues: mostValues, outcomes))
    }

    @usableFromInline
    func ruled(_ name: String, _ rule: CallRule) -> Self { changed { $0.rules[name] = rule } }

    /// Returns the exploration of a program with one sender, which waits until everything that follows from its event has been
    /// handled. It has fewer nodes.
    ///
    /// By default, another choice also comes before an event that follows from an effect: the result of a child, or an event of a
    /// reaction, a rule or feedback. A store handles them in this order if another thread has sent them meanwhile. A program whose
    /// effects answer on other threads has more than one sender.
    public func fromOneSender() -> Self { changed { $0.hasOneSender = true } }

    /// Returns the exploration with cancellations from outside: in any step, any live effect may be cancelled, as the system
    /// cancels a task, and so may the loop.
    ///
    /// A goal of ``Explorable/eventually(_:fileID:file:line:column:after:until:)`` must be reached even if an effect is
    /// cancelled, but not if the loop is.
    public func cancelsAnywhere() -> Self { changed { $0.hasCancellations = true } }

    /// Returns the exploration under the assumption that feedback depends only on the last state, as reactions (`react(to:)`
    /// and similar), rules and stateless operators do.
    ///
    /// Otherwise the future of feedback may depend on all states that it has received. Then no trace with feedback returns to
    /// an earlier node, and a program that runs forever has neither an end nor a cycle.
    ///
    /// It is an error if feedback waits for a call or a timer outside a reaction. Other memory, such as that of `scan`, is
    /// not detected.
    public func feedbackRemembersLastState() -> Self { changed { $0.feedbackForgets = true } }

    /// Returns the exploration with events and effects that may be rejected by an error of `transform` or `apply`.
    ///
    /// Otherwise, each rejection is a violation.
    ///
    /// - Parameter isExpected: Returns true for an expected error.
    public func allowingRefusals(_ isExpected: @escaping @Sendable (any Error) -> Bool = { _ in true }) -> Self {
        changed { $0.isExpectedRefusal = isExpected }
    }
}
