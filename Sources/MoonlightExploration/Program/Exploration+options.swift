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

    /// Returns the exploration with limits. If one is reached, the report says so.
    ///
    /// - Parameters:
    ///   - nodes: The number of nodes to keep; by default ten million.
    ///   - depth: The number of choices in a trace; nil for any number.
    ///   - memory: The number of bytes by which the process may grow; nil for any number.
    ///   - choice: The time that one choice may take, by default ten seconds. A choice that takes longer is a violation, as
    ///     if it never ended.
    public func limited(nodes: Int? = nil, depth: Int? = nil, memory: Int? = nil, choice: Duration? = nil) -> Self {
        changed {
            if let nodes { $0.limits.nodes = nodes }
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
    public func tracing() -> Self { changed { $0.trace = { ProgressTerminal.standardError.write($0 + "\n") } } }

    /// Returns the exploration with all nodes compared as a whole.
    ///
    /// Otherwise, only the first 100,000 are; each further one is represented by a 64-bit fingerprint, and the report states
    /// the probability that two different nodes were taken for one.
    public func withoutFingerprints() -> Self { changed { $0.limits.mostWhole = .max } }

    /// Returns the exploration with independent choices in all orders.
    ///
    /// Otherwise, an outcome that only its own effect can observe is given at once, and not also after other choices: one
    /// that sends nothing, begins or ends no effect, and sets no timer. This reduction is not used with a picture or a
    /// property of the kind `eventually`.
    public func tryingAllOrders() -> Self { changed { $0.triesAllOrders = true } }
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
    let chain = 100_000
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
