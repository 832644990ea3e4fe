/// Options: the contents of the report, and the search.
extension Exploration {
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
    ///   - nodes: The number of nodes that are kept; by default ten million.
    ///   - depth: The number of choices in a trace; nil for any number.
    ///   - memory: The bytes by which the process may grow; nil for any number.
    ///   - choice: The time that the reducer may take for one choice. One that takes longer is a violation, as if it never ended;
    ///     by default ten seconds.
    public func limited(nodes: Int? = nil, depth: Int? = nil, memory: Int? = nil, choice: Duration? = nil) -> Self {
        changed {
            if let nodes { $0.limits.nodes = nodes }
            if let depth { $0.limits.depth = depth }
            if let memory { $0.limits.memory = memory }
            if let choice { $0.limits.choice = choice }
        }
    }

    /// Returns the exploration on as many threads as the machine has cores. The verdict and the shortest trace are the same.
    public func onAllCores() -> Self where State: Sendable, Event: Sendable { changed { $0.threads = WatchedThreads.cores } }

    /// Returns the exploration with a line on standard error before each choice that is tried: the name of the choices up to it,
    /// for ``replay(_:)``.
    ///
    /// Code that crashes ends the process, so the last line says which choices have led there. An exploration that is traced runs on
    /// one thread, and takes much longer.
    public func tracing() -> Self { changed { $0.trace = { ProgressTerminal.standardError.write($0 + "\n") } } }

    /// Returns the exploration with all nodes compared whole.
    ///
    /// Otherwise the first 100,000 are, and beyond, a fingerprint of 64 bits stands for each; the verdict then says how probable it
    /// is that two different nodes were taken for one.
    public func withoutFingerprints() -> Self { changed { $0.limits.mostWhole = .max } }

    /// Returns the exploration with independent choices in all orders.
    ///
    /// Otherwise, an outcome of a call that only lets its own effect go on is given at once, and not also after what others do:
    /// it sends nothing, nothing begins or ends by it, and it sets no timer, so nothing else can tell whether it has come. That
    /// is not done if something must happen `eventually`, nor for a picture.
    public func tryingAllOrders() -> Self { changed { $0.triesAllOrders = true } }
}

/// The limits of an exploration.
struct ExplorationLimits {
    var nodes = 10_000_000
    var depth = Int.max
    var memory = Int.max
    var choice = Duration.seconds(10)
    /// The number of nodes that are compared whole.
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
