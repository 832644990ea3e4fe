import Streams

// Operators with time: a tick of a script is a second.
extension Table {
    @RowBuilder static var timing: [Row] {
        Row("debounce", asks: .everything, isTimed: true, cancelsEnded: true) { up, w in
            up[0].debounce(for: .seconds(2), scheduler: w.time)
        } model: {
            debounced($0, 2)
        }
        Row("throttle, the latest", asks: .everything, isTimed: true, cancelsEnded: true) { up, w in
            up[0].throttle(for: .seconds(2), scheduler: w.time, latest: true)
        } model: {
            throttled($0, 2) { _, new in new }
        }
        Row("throttle, the first", asks: .everything, isTimed: true, cancelsEnded: true) { up, w in
            up[0].throttle(for: .seconds(2), scheduler: w.time, latest: false)
        } model: {
            throttled($0, 2) { old, _ in old }
        }
        Row("timeout", asks: .same, isTimed: true, cancelsEnded: true) { up, w in
            up[0].timeout(.seconds(2), scheduler: w.time)
        } model: {
            timedOut($0, 2, .finished)
        }
        Row("timeout with an error", asks: .same, isTimed: true, cancelsEnded: true) { up, w in
            up[0].timeout(.seconds(2), scheduler: w.time, customError: { w(.second) })
        } model: {
            timedOut($0, 2, .failed(.second))
        }
        Row("collect(.byTime)", wantsAll: true, asks: .everything, isTimed: true, cancelsEnded: true) { up, w in
            up[0].collect(.byTime(w.time, .seconds(2)))
        } model: {
            collected($0, 2, .max)
        }
        Row("collect(.byTimeOrCount)", wantsAll: true, asks: .anything, isTimed: true, cancelsEnded: true) { up, w in
            up[0].collect(.byTimeOrCount(w.time, .seconds(2), 2))
        } model: {
            collected($0, 2, 2)
        }
        Row("measureInterval", asks: .same, isTimed: true) { up, w in
            up[0].measureInterval(using: w.time).map { $0.nanoseconds / 1_000_000_000 }
        } model: { history in
            let times = history.inputs.filter { if case .value = $0.event { true } else { false } }.map(\.time)
            return .passing(zip(times, [0] + times).map { $0 - $1 }, history.end)
        }
        Row("subscribe(on:)", asks: .same, isTimed: true, cancelsEnded: true) { up, w in
            up[0].subscribe(on: w.time)
        } model: {
            .passing($0.values, $0.end)
        }
    }
}

/// The values that no other input follows for an interval; the completion is sent at once.
private func debounced(_ history: History, _ interval: Int) -> Due<Int> {
    var values: [Int] = []
    for (index, input) in history.inputs.enumerated() {
        switch input.event {
        case .end(let end): return .passing(values, end)
        case .value(let value):
            let time = input.time + interval
            let next = index + 1 < history.inputs.count ? history.inputs[index + 1].time : history.now
            if next >= time, history.isWanted(at: time) { values.append(value) }
        }
    }
    return .passing(values, nil)
}

/// The value at the beginning of an interval, and one of the values within it at its end.
private func throttled(_ history: History, _ interval: Int, choose: (Int, Int) -> Int) -> Due<Int> {
    var values: [Int] = []
    var (waiting, windowEnd): (Int?, Int) = (nil, 0)
    func pass(_ time: Int) {
        while let value = waiting, time >= windowEnd {
            values.append(value)
            (waiting, windowEnd) = (nil, windowEnd + interval)
        }
    }
    for input in history.inputs {
        pass(input.time)
        switch input.event {
        case .value(let value):
            if !input.isWanted { continue }
            if input.seen < values.count {
                // The previous one is still pending on the scheduler.
                values[values.count - 1] = choose(values[values.count - 1], value)
            } else if input.time >= windowEnd {
                values.append(value)
                windowEnd = input.time + interval
            } else {
                waiting = waiting.map { choose($0, value) } ?? value
            }
        case .end(let end):
            if waiting == nil { return .passing(values, end) }
            pass(history.now)
            return .passing(values, waiting == nil ? end : nil)
        }
    }
    pass(history.now)
    return .passing(values, nil)
}

/// The values, until none has arrived for an interval.
private func timedOut(_ history: History, _ interval: Int, _ end: End) -> Due<Int> {
    var (values, last): ([Int], Int) = ([], 0)
    for input in history.inputs {
        if let first = history.firstRequest, first <= input.time, first - last < interval { last = max(last, first) }
        if input.time - last >= interval { return .passing(values, end) }
        switch input.event {
        case .value(let value): (values, last) = (values + [value], input.time)
        case .end(let end): return .passing(values, end)
        }
    }
    if let first = history.firstRequest, first - last < interval { last = max(last, first) }
    return .passing(values, history.now - last >= interval ? end : nil)
}

/// The values of each interval, at its end, or as soon as their number reaches the limit.
private func collected(_ history: History, _ interval: Int, _ count: Int) -> Due<[Int]> {
    var (arrays, rest, windowEnd): ([[Int]], [Int], Int) = ([], [], interval)
    func pass(_ time: Int) {
        while time >= windowEnd {
            if !rest.isEmpty { arrays.append(rest) }
            (rest, windowEnd) = ([], windowEnd + interval)
        }
    }
    for input in history.inputs {
        pass(input.time)
        switch input.event {
        case .value(let value):
            rest.append(value)
            if rest.count == count {
                arrays.append(rest)
                rest = []
            }
        case .end(.finished): return .passing(rest.isEmpty ? arrays : arrays + [rest], .finished)
        case .end(let failure): return .passing(arrays, failure)
        }
    }
    pass(history.now)
    return .passing(arrays, nil)
}
