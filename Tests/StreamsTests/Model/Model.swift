import Streams

/// All that the upstreams of a run have sent to whoever was subscribed, in order, as far as the grammar allowed it.
///
/// This is what a model makes its list of. One thread only.
final class Ledger {
    struct Input: Sendable {
        let event: Event<Int>
        /// Which upstream it came from.
        let feed: Int
        let time: Int
        /// What the subscriber at the end waited for at that moment.
        let open: Int
        /// How many values it had got by then.
        let seen: Int
        /// Whether it waited for a value.
        var isWanted: Bool { open > 0 }
    }

    private(set) var history: History
    /// Whether an upstream has sent a value that it was not asked for.
    private(set) var hasUnasked = false
    /// What the subscriber at the end has asked for and not got, and how much it has got.
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

/// What has come, up to a time, as a model sees it.
struct History: Sendable {
    private(set) var inputs: [Ledger.Input] = []
    var now = 0
    /// When the subscriber asked for values for the first time.
    fileprivate(set) var firstRequest: Int?
    /// What the subscriber waited for when it became 1, 2 and so on.
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

    /// Whether the subscriber waited for a value when it became so late.
    func isWanted(at time: Int) -> Bool { openAtTicks[time - 1] > 0 }

    /// What one upstream has sent.
    func values(of feed: Int) -> [Int] { lists[feed] }
    /// How one upstream has ended.
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

    /// What had come up to a time.
    func until(_ time: Int) -> History { filter { $0.time <= time } }
    /// What came when somebody waited for it.
    var wanted: History {
        filter { input in
            if case .value = input.event { input.isWanted } else { true }
        }
    }
}

/// What must have been sent when an upstream has sent so much, if there is demand for it.
struct Due<Value> {
    var values: [Value]
    var end: End?
    /// How many of the values do not wait for demand, because they pass through as they come.
    var passing: Int
    /// Whether a failure waits, as a regular end does, until the values before it have been sent.
    var isPatient = false

    /// What passes through: the upstream has been asked for it.
    static func passing(_ values: [Value], _ end: End?) -> Due { Due(values: values, end: end, passing: values.count) }

    /// What the operator keeps until it is asked for.
    static func kept(_ values: [Value], _ end: End?) -> Due { Due(values: values, end: end, passing: 0) }
}

/// What an operator has asked its upstreams for, compared with what it has been asked for.
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
