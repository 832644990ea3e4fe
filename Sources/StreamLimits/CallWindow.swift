/// The calls of the last while, counted in slices of an eighth of the window or more: a plain value that reads no clock and
/// calls no user code.
///
/// `Time` may be a user's type. So the turn of the slices is worked out before, on a copy, and made with the lock held.
struct CallWindow<Time: Sendable>: Sendable {
    struct Slice: Sendable {
        /// When the first of its calls ended.
        let start: Time
        var calls = 0
        var failures = 0
    }

    /// What happens to the slices before a call is counted.
    struct Turn {
        /// The number of slices that had been made when this was worked out.
        let made: Int
        /// The number of slices that are over, of all that had been made.
        let over: Int
        /// When a new slice begins; nil if the call belongs to the last one.
        let start: Time?
    }

    private(set) var slices: [Slice] = []
    private(set) var made = 0

    /// The calls that are counted.
    var calls: Int { slices.reduce(0) { $0 + $1.calls } }

    /// The failures among them.
    var failures: Int { slices.reduce(0) { $0 + $1.failures } }

    /// Removes the slices that are over, and begins a new one if the turn says so.
    ///
    /// - Returns: Whether that was done. If another thread has begun a slice since the turn was worked out, it is not.
    mutating func take(_ turn: Turn) -> Bool {
        guard turn.made == made else { return false }
        slices.removeFirst(max(0, turn.over - (made - slices.count)))
        if let start = turn.start {
            slices.append(Slice(start: start))
            made += 1
        }
        return true
    }

    /// Counts a call, in the last slice.
    mutating func count(hasFailed: Bool) {
        guard !slices.isEmpty else { return }
        slices[slices.count - 1].calls += 1
        if hasFailed { slices[slices.count - 1].failures += 1 }
    }

    /// Forgets all calls.
    mutating func removeAll() { slices = [] }
}

extension CallWindow where Time: Strideable {
    /// Works out what happens to the slices when a call ends. A call is forgotten when its slice began a whole window ago.
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
