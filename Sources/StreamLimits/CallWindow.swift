/// The recent calls, counted in slices of at least an eighth of the window: a plain value that reads no clock and calls no
/// user code.
///
/// `Time` may be a user's type, so the next slices are computed in advance, on a copy, and set with the lock held.
struct CallWindow<Time: Sendable>: Sendable {
    struct Slice: Sendable {
        /// The time at which the first of its calls ended.
        let start: Time
        var calls = 0
        var failures = 0
    }

    /// The change of the slices that precedes the counting of a call.
    struct Turn {
        /// The number of slices that had been created when this was computed.
        let made: Int
        /// The number of those slices that have expired.
        let over: Int
        /// The start of a new slice; nil if the call belongs to the last one.
        let start: Time?
    }

    private(set) var slices: [Slice] = []
    private(set) var made = 0

    /// The number of calls counted.
    var calls: Int { slices.reduce(0) { $0 + $1.calls } }

    /// The number of failures among them.
    var failures: Int { slices.reduce(0) { $0 + $1.failures } }

    /// Removes the expired slices, and begins the turn's new slice, if it has one.
    ///
    /// - Returns: False, without a change, if another thread has begun a slice since the turn was computed.
    mutating func take(_ turn: Turn) -> Bool {
        guard turn.made == made else { return false }
        slices.removeFirst(max(0, turn.over - (made - slices.count)))
        if let start = turn.start {
            slices.append(Slice(start: start))
            made += 1
        }
        return true
    }

    /// Counts a call in the last slice.
    mutating func count(hasFailed: Bool) {
        guard !slices.isEmpty else { return }
        slices[slices.count - 1].calls += 1
        if hasFailed { slices[slices.count - 1].failures += 1 }
    }

    /// Removes all calls.
    mutating func removeAll() { slices = [] }
}

extension CallWindow where Time: Strideable {
    /// Computes the change of the slices when a call ends. A call expires when its slice began a whole window ago.
    func turn(at now: Time, window: Time.Stride) -> Turn {
        let over = slices.prefix { $0.start.advanced(by: window) <= now }.count
        let isNew = slices.last.map { slice in
            let age = slice.start.distance(to: now)
            let quarters = age + age + age + age
            return quarters + quarters >= window
        }
        return Turn(made: made, over: made - slices.count + over, start: isNew ?? true ? now : nil)
    }
}
