import Streams

// Operators with several upstreams, and operators that switch between upstreams.
extension Table {
    @RowBuilder static var zipping: [Row] {
        Row("zip", upstreams: 2, asks: .exactly(zipDemand)) { up, w in
            up[0].zip(up[1]) { w($0 * 100 + $1) }
        } model: {
            zipped($0)
        }
        Row("zip of three", upstreams: 2, asks: .exactly(zipDemand), isStrict: true) { up, w in
            up[0].zip(up[1], OperatorCase.sequence([0, 0, 0])) { w($0 * 100 + $1 + $2) }
        } model: {
            zipped($0, atMost: 3)
        }
        Row("zip of four", upstreams: 2, asks: .exactly(zipDemand), isStrict: true) { up, w in
            up[0].zip(OperatorCase.sequence([0, 0]), OperatorCase.sequence([0, 0, 0]), up[1]) {
                w($0 * 100 + $1 + $2 + $3)
            }
        } model: {
            zipped($0, atMost: 2)
        }
    }

    @RowBuilder static var combining: [Row] {
        Row("combineLatest", upstreams: 2, asks: .enoughIf(bothMaySend)) { up, w in
            up[0].combineLatest(up[1]) { w($0 * 100 + $1) }
        } model: {
            combined($0)
        }
        Row("combineLatest of three", upstreams: 2, asks: .enoughIf(bothMaySend)) { up, w in
            up[0].combineLatest(up[1], Pushed(values: [0])) { w($0 * 100 + $1 + $2) }
        } model: {
            combined($0)
        }
        Row("combineLatest of four", upstreams: 2, asks: .enoughIf(bothMaySend)) { up, w in
            up[0].combineLatest(Pushed(values: [0]), up[1], Pushed(values: [0])) {
                w($0 * 100 + $1 + $2 + $3)
            }
        } model: {
            combined($0)
        }
        Row("withLatestFrom", upstreams: 2, asks: .enoughIf(hasKey), others: .everything) { up, w in
            up[0].withLatestFrom(up[1]) { w($0 * 100 + $1) }
        } model: {
            withLatest($0) { $0 * 100 + $1 }
        }
        Row("withLatestFrom, that alone", upstreams: 2, asks: .enoughIf(hasKey), others: .everything) { up, _ in
            up[0].withLatestFrom(up[1])
        } model: {
            withLatest($0) { $1 }
        }
        Row("prefix(untilOutputFrom:)", upstreams: 2, asks: .same, others: .anything, leavesOther: true) { up, _ in
            up[0].prefix(untilOutputFrom: up[1])
        } model: { history in
            var values: [Int] = []
            for input in history.inputs {
                switch (input.event, input.feed) {
                case (.value(let value), 0): values.append(value)
                case (.value, _): return .passing(values, .finished)
                case (.end(let end), 0): return .passing(values, end)
                case (.end, _): break
                }
            }
            return .passing(values, nil)
        }
        Row("drop(untilOutputFrom:)", upstreams: 2, asks: .enoughIf(hasKey), others: .anything, leavesOther: true) {
            up, _ in
            up[0].drop(untilOutputFrom: up[1])
        } model: { history in
            var (values, isOpen): ([Int], Bool) = ([], false)
            for input in history.inputs {
                switch (input.event, input.feed) {
                case (.value(let value), 0): if isOpen { values.append(value) }
                case (.value, _): isOpen = true
                case (.end(let end), 0): return .passing(values, end)
                case (.end(let end), _): if !isOpen { return .passing(values, end) }
                }
            }
            return .passing(values, nil)
        }
    }

    @RowBuilder static var switching: [Row] {
        Row("switchToLatest", upstreams: 2, asks: .everything, others: .same, isStrict: true) { up, w in
            up[0].map { _ in w(up[1]) }.switchToLatest()
        } model: {
            switched($0)
        }
        Row("flatMapLatest", upstreams: 2, asks: .everything, others: .same, isStrict: true) { up, w in
            up[0].flatMapLatest { _ in w(up[1]) }
        } model: {
            switched($0)
        }
        Row("flatMapLatest to sequences", asks: .everything) { up, w in
            up[0].flatMapLatest { OperatorCase.sequence([w($0), $0 + 5]) }
        } model: { history in
            // The next publisher replaces the rest of the previous one.
            var values: [Int] = []
            for input in history.inputs {
                switch input.event {
                case .value(let value): values = values.prefix(input.seen) + [value, value + 5]
                case .end(let end): return .kept(values, end)
                }
            }
            return .kept(values, nil)
        }
    }
}

/// Pairs of the values of two upstreams; the end comes when no more pairs are possible.
private func zipped(_ history: History, atMost limit: Int = .max) -> Due<Int> {
    var (lists, ends): ([[Int]], [Bool]) = ([[], []], [false, false])
    var pairs: [Int] = []
    for input in history.inputs {
        switch input.event {
        case .value(let value): lists[input.feed].append(value)
        case .end(.finished): ends[input.feed] = true
        case .end(let failure): return .passing(pairs, failure)
        }
        if pairs.count < lists[0].count, pairs.count < lists[1].count {
            pairs.append(lists[0][pairs.count] * 100 + lists[1][pairs.count])
        }
        let isOver = (0...1).contains { ends[$0] && lists[$0].count == pairs.count }
        if isOver || pairs.count == limit { return .passing(pairs, .finished) }
    }
    return .passing(pairs, nil)
}

/// An upstream with unpaired values receives fewer requests.
@Sendable private func zipDemand(_ history: History, _ feed: Int, _ open: Int) -> Int {
    let pairs = min(history.values(of: 0).count, history.values(of: 1).count)
    return open - (history.values(of: feed).count - pairs)
}

/// Indicates whether each upstream has sent a value or may still send one.
@Sendable private func bothMaySend(_ history: History) -> Bool {
    (0...1).allSatisfy { !history.values(of: $0).isEmpty || history.end(of: $0) == nil }
}

/// Indicates whether the second upstream has sent a value, before which none is passed on.
@Sendable private func hasKey(_ history: History) -> Bool { !history.values(of: 1).isEmpty }

/// The latest values of both, at each change; without demand, only the last pair is kept.
private func combined(_ history: History) -> Due<Int> {
    var (latest, open): ([Int?], Int) = ([nil, nil], 2)
    var (values, kept): ([Int], Int?) = ([], nil)
    for input in history.inputs {
        if let old = kept, input.seen > values.count { (values, kept) = (values + [old], nil) }
        switch input.event {
        case .value(let value):
            latest[input.feed] = value
            guard let first = latest[0], let second = latest[1] else { continue }
            if input.isWanted { values.append(first * 100 + second) } else { kept = first * 100 + second }
        case .end(.finished): open -= 1
        case .end(let failure): return .kept(values + (kept.map { [$0] } ?? []), failure)
        }
    }
    return .kept(values + (kept.map { [$0] } ?? []), open == 0 ? .finished : nil)
}

private func withLatest(_ history: History, _ result: (Int, Int) -> Int) -> Due<Int> {
    var (values, latest): ([Int], Int?) = ([], nil)
    for input in history.inputs {
        switch (input.event, input.feed) {
        case (.value(let value), 0): if let latest { values.append(result(value, latest)) }
        case (.value(let value), _): latest = value
        case (.end(let end), 0): return .passing(values, end)
        case (.end(.finished), _): break
        case (.end(let failure), _): return .passing(values, failure)
        }
    }
    return .passing(values, nil)
}

/// The values of the second upstream, which is subscribed to again for each value of the first.
private func switched(_ history: History) -> Due<Int> {
    var (values, isRunning, isLast): ([Int], Bool, Bool) = ([], false, false)
    for input in history.inputs {
        switch (input.event, input.feed) {
        case (.value, 0): isRunning = true
        case (.value(let value), _): values.append(value)
        case (.end(.finished), 0): isLast = true
        case (.end(.finished), _): isRunning = false
        case (.end(let failure), _): return .passing(values, failure)
        }
        if isLast, !isRunning { return .passing(values, .finished) }
    }
    return .passing(values, nil)
}
