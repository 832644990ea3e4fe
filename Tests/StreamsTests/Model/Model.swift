import Streams

/// All that the upstreams of a run have sent to whoever was subscribed, in order, as far as the grammar allowed it.
///
/// This is what a model makes its list of. One thread only.
final class Ledger {
    struct Input: Sendable {
        let event: Event<Int>
        /// The number of the upstream.
        let feed: Int
        let time: Int
        /// The demand of the subscriber at the end when this happened.
        let open: Int
        /// The number of values that the subscriber had received by then.
        let seen: Int
        /// Indicates whether the subscriber waited for a value.
        var isWanted: Bool { open > 0 }
    }

    private(set) var history: History
    /// Indicates whether an upstream has sent a value that was not requested.
    private(set) var hasUnasked = false
    /// The unserved demand of the subscriber at the end, and the number of its values.
    var lookAtEnd: () -> (open: Int, seen: Int) = { (0, 0) }

    init(upstreams: Int) { history = History(upstreams: upstreams) }

    func add(_ event: Event<Int>, by feed: Int, unasked: Bool) {
        let (open, seen) = lookAtEnd()
        history.add(Input(event: event, feed: feed, time: history.now, open: open, seen: seen))
        if unasked { hasUnasked = true }
    }

    func tick() { history.tick(open: lookAtEnd().open) }
    /// The subscriber has asked for values.
    func noteRequest() { history.firstRequest = history.firstRequest ?? history.now }
}

/// The events up to a time, as a model sees them.
struct History: Sendable {
    private(set) var inputs: [Ledger.Input] = []
    var now = 0
    /// The time of the subscriber's first request.
    fileprivate(set) var firstRequest: Int?
    /// The unserved demand at the times 1, 2 and so on.
    private var openAtTicks: [Int] = []
    private var lists: [[Int]]
    private var ends: [End?]

    init(upstreams: Int) {
        lists = Array(repeating: [], count: upstreams)
        ends = Array(repeating: nil, count: upstreams)
    }

    mutating func add(_ input: Ledger.Input) {
        inputs.append(input)
        switch input.event {
        case .value(let value): lists[input.feed].append(value)
        case .end(let end): if ends[input.feed] == nil { ends[input.feed] = end }
        }
    }

    mutating func tick(open: Int) {
        now += 1
        openAtTicks.append(open)
    }

    /// Returns whether the subscriber waited for a value at a time.
    func isWanted(at time: Int) -> Bool { openAtTicks[time - 1] > 0 }

    /// The values of one upstream.
    func values(of feed: Int) -> [Int] { lists[feed] }
    /// The end of one upstream.
    func end(of feed: Int) -> End? { ends[feed] }
    var values: [Int] { lists[0] }
    var end: End? { ends[0] }

    /// The inputs for which something holds.
    func filter(_ isIncluded: (Ledger.Input) -> Bool) -> History {
        var rest = History(upstreams: lists.count)
        (rest.now, rest.firstRequest, rest.openAtTicks) = (now, firstRequest, openAtTicks)
        for input in inputs where isIncluded(input) { rest.add(input) }
        return rest
    }

    /// The events up to a time.
    func until(_ time: Int) -> History { filter { $0.time <= time } }
    /// The events that arrived when there was demand.
    var wanted: History {
        filter { input in
            if case .value = input.event { input.isWanted } else { true }
        }
    }
}

/// The values that are due after some events, if there is demand for them.
struct Due<Value> {
    var values: [Value]
    var end: End?
    /// The number of values that do not wait for demand, because they pass through at once.
    var passing: Int
    /// Indicates whether a failure waits, like a regular end, until the values before it have been sent.
    var isPatient = false

    /// Values that pass through, as the upstream was asked for them.
    static func passing(_ values: [Value], _ end: End?) -> Due { Due(values: values, end: end, passing: values.count) }

    /// Values that the operator keeps until they are requested.
    static func kept(_ values: [Value], _ end: End?) -> Due { Due(values: values, end: end, passing: 0) }
}

/// The relation between an operator's requests and its subscriber's.
enum Asking: Sendable {
    /// As much.
    case same
    /// So much, for what has come and what the subscriber waits for.
    case exactly(@Sendable (_ history: History, _ feed: Int, _ open: Int) -> Int)
    /// Everything.
    case everything
    /// Something from each, if something is wanted.
    case each
    /// Something from one of them, if something is wanted.
    case enough
    /// The same, if something can come at all.
    case enoughIf(@Sendable (History) -> Bool)
    /// Not looked at.
    case anything
}
