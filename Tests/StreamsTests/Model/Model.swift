import Streams

/// All events that the upstreams of a run have sent to their subscribers, in order, as far as the grammar allows: the input of a
/// model. Used by one thread.
final class Ledger {
    struct Input: Sendable {
        let event: Event<Int>
        /// The number of the upstream.
        let feed: Int
        let time: Int
        /// The demand of the final subscriber at this time.
        let open: Int
        /// The number of values that the subscriber had received before.
        let seen: Int
        /// Indicates whether the subscriber had demand.
        var isWanted: Bool { open > 0 }
    }

    private(set) var history: History
    /// Indicates whether an upstream has sent a value that was not requested.
    private(set) var hasUnasked = false
    /// The unserved demand of the final subscriber, and the number of its values.
    var lookAtEnd: () -> (open: Int, seen: Int) = { (0, 0) }

    init(upstreams: Int) { history = History(upstreams: upstreams) }

    func add(_ event: Event<Int>, by feed: Int, unasked: Bool) {
        let (open, seen) = lookAtEnd()
        history.add(Input(event: event, feed: feed, time: history.now, open: open, seen: seen))
        if unasked { hasUnasked = true }
    }

    func tick() { history.tick(open: lookAtEnd().open) }
    /// Records a request of the subscriber.
    func noteRequest() { history.firstRequest = history.firstRequest ?? history.now }
}

/// The events up to a time, for a model.
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

    /// Returns whether the subscriber had demand at a time.
    func isWanted(at time: Int) -> Bool { openAtTicks[time - 1] > 0 }

    /// The values of one upstream.
    func values(of feed: Int) -> [Int] { lists[feed] }
    /// The completion of one upstream.
    func end(of feed: Int) -> End? { ends[feed] }
    var values: [Int] { lists[0] }
    var end: End? { ends[0] }

    /// The inputs that satisfy a condition.
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

/// The expected values after some events, given enough demand.
struct Due<Value> {
    var values: [Value]
    var end: End?
    /// The number of values that do not wait for demand, because they are passed on at once.
    var passing: Int
    /// Indicates whether a failure, like a regular completion, waits until the values before it have been sent.
    var isPatient = false

    /// Values that are passed on at once, as the upstream has received the demand.
    static func passing(_ values: [Value], _ end: End?) -> Due { Due(values: values, end: end, passing: values.count) }

    /// Values that the operator keeps until they are requested.
    static func kept(_ values: [Value], _ end: End?) -> Due { Due(values: values, end: end, passing: 0) }
}

/// The relation between an operator's requests and its subscriber's.
enum Asking: Sendable {
    /// The same demand.
    case same
    /// A number that depends on the history and the open demand.
    case exactly(@Sendable (_ history: History, _ feed: Int, _ open: Int) -> Int)
    /// Unlimited demand.
    case everything
    /// Some demand of each upstream, if there is any.
    case each
    /// Some demand of one upstream, if there is any.
    case enough
    /// The same, if a condition on the history holds.
    case enoughIf(@Sendable (History) -> Bool)
    /// Not checked.
    case anything
}
