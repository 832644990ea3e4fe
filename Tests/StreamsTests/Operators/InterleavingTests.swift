import MoonlightTestSupport
import Streams
import Testing

/// Every operator with two upstreams, over all short interleavings of actions; the quick tier draws some.
@Suite("Operators with two upstreams, compared with models over interleavings of their events")
struct InterleavingTests {
    typealias Script = Interleaving.Script
    typealias Entry = Interleaving.Run.Entry
    typealias Feed = Interleaving.Run.Feed

    static let upstreams: [Interleaving.Happening] = [
        .value(0, by: 0), .value(0, by: 1), .finish(0), .finish(1), .fail(0), .fail(1),
    ]

    /// A subscriber that requests everything; one that requests portions; actions during a delivery.
    static let scripts: [Script] = {
        var scripts = Script.all(upstreams, upTo: 5).map { Script(demand: .max, steps: $0) }
        let portions = Script.all(upstreams.dropLast() + [.request(1), .cancel], upTo: 5)
        for (demand, returned) in [(0, 0), (1, 0), (1, 1), (2, 0)] {
            scripts += portions.filter { $0.count < 5 || (demand, returned) == (1, 0) }.map {
                Script(demand: demand, returned: returned, steps: $0)
            }
        }
        scripts += Script.all(upstreams.dropLast() + [.request(.max)], upTo: 4).map { Script(demand: 0, steps: $0) }
        for position in 0...1 {
            for action in upstreams + [.request(1), .cancel] {
                for demand in [1, Int.max] {
                    scripts += Script.all([.value(0, by: 0), .value(0, by: 1), .finish(0)], upTo: 4).map {
                        Script(demand: demand, inside: (position, numbered(action)), steps: $0)
                    }
                }
            }
        }
        return scripts
    }()

    /// The same, with upstreams that send regardless of demand.
    static let pushed: [Script] = scripts.map {
        var script = $0
        script.waits = false
        return script
    }

    private static func numbered(_ action: Interleaving.Happening) -> Interleaving.Happening {
        if case .value(_, let feed) = action { .value(9 + feed * 10, by: feed) } else { action }
    }

    private func compare<P: Publisher<V, Oops>, V: Equatable>(
        _ scripts: [Script], for test: String = #function, asks: (Int, [Int?]) -> Bool = Self.each,
        _ make: (Feed, Feed, Token) -> P, model: ([Entry]) -> Interleaving.Expected<V>
    ) { compare(scripts, for: test, asks: asks, make, as: { $0 }, model: model) }

    private func compare<P: Publisher, V: Equatable>(
        _ scripts: [Script], for test: String, asks: (Int, [Int?]) -> Bool, _ make: (Feed, Feed, Token) -> P,
        as value: @escaping (P.Output) -> V, model: ([Entry]) -> Interleaving.Expected<V>
    ) where P.Failure == Oops {
        var complaints: [String] = []
        for script in Budget.sample(scripts, quick: 400, for: test) {
            if let complaint = Interleaving.complaint(script, make, value, model, asks: asks) {
                complaints.append(complaint)
                if complaints.count == 3 { break }
            }
        }
        for complaint in complaints { Issue.record(Comment(rawValue: complaint)) }
    }

    // The required demand on live upstreams: some on each; some on one; some on the first; the subscriber's on each.
    private static func each(_ wanted: Int, _ open: [Int?]) -> Bool { open.allSatisfy { $0 != 0 } }
    private static func some(_ wanted: Int, _ open: [Int?]) -> Bool { !open.allSatisfy { $0 == 0 } }
    private static func same(_ wanted: Int, _ open: [Int?]) -> Bool { open[0] == nil || open[0] == wanted }

    /// Runs the entries one by one.
    private func fold<V: Equatable>(
        _ entries: [Entry], _ step: (Entry, inout Interleaving.Expected<V>, inout Int) -> Void
    ) -> Interleaving.Expected<V> {
        var expected = Interleaving.Expected<V>()
        var demand = 0
        for entry in entries where expected.end == nil {
            if case .request(let count) = entry { demand = count == .max || demand == .max ? .max : demand + count }
            step(entry, &expected, &demand)
        }
        return expected
    }

    @Test("`zip` behaves like its model", arguments: [true, false])
    func zip(waits: Bool) {
        compare(waits ? Self.scripts : Self.pushed, asks: Self.some) {
            $0.zip($1) { [token = $2] in token.pass([$0, $1]) }
        } model: { entries in
            var lists: [[Int]] = [[], []]
            var finished: Set<Int> = []
            return fold(entries) { entry, expected, _ in
                switch entry {
                case .value(let value, let feed): lists[feed].append(value)
                case .end(let feed, let failed):
                    if failed {
                        expected.end = .failed
                        return
                    }
                    finished.insert(feed)
                case .request: break
                }
                let rows = min(lists[0].count, lists[1].count)
                expected.values = (0..<rows).map { [lists[0][$0], lists[1][$0]] }
                if finished.contains(where: { lists[$0].count == rows }) { expected.end = .finished }
            }
        }
    }

    @Test("`combineLatest` behaves like its model", arguments: [true, false])
    func combineLatest(waits: Bool) {
        compare(waits ? Self.scripts : Self.pushed, asks: Self.some) {
            $0.combineLatest($1) { [token = $2] in token.pass([$0, $1]) }
        } model: { entries in
            var latest: [Int?] = [nil, nil]
            var (isFresh, finished) = (false, Set<Int>())
            return fold(entries) { entry, expected, demand in
                switch entry {
                case .value(let value, let feed): (latest[feed], isFresh) = (value, true)
                case .end(let feed, let failed):
                    if failed {
                        expected.end = .failed
                        return
                    }
                    finished.insert(feed)
                case .request: break
                }
                let row = latest.compactMap { $0 }
                if isFresh, row.count == 2, demand > 0 {
                    expected.values.append(row)
                    isFresh = false
                    if demand != .max { demand -= 1 }
                }
                if finished.count == 2, !isFresh || row.count < 2 { expected.end = .finished }
            }
        }
    }

    @Test("`merge` behaves like its model", arguments: [true, false])
    func merge(waits: Bool) {
        compare(waits ? Self.scripts : Self.pushed) { a, b, token in
            a.map { token.pass($0) }.merge(with: b)
        } model: {
            merged($0, upstreams: 2)
        }
    }

    @Test("`flatMap` to the second upstream, for each value of the first, behaves like its model", arguments: [true, false])
    func flatMap(waits: Bool) {
        compare(waits ? Self.scripts : Self.pushed) { a, b, token in
            a.flatMap { _ in token.pass(b) }
        } model: { entries in
            var (waiting, running, isFinished): ([Int], Int, Bool) = ([], 0, false)
            return fold(entries) { entry, expected, demand in
                switch entry {
                case .value(_, by: 0): running += 1
                case .value(let value, _): waiting.append(value)
                case .end(_, failed: true):
                    expected.end = .failed
                    return
                case .end(by: 0, _): isFinished = true
                case .end: running -= 1
                case .request: break
                }
                send(&waiting, &expected, &demand)
                if isFinished, running == 0, waiting.isEmpty { expected.end = .finished }
            }
        }
    }

    private func merged(_ entries: [Entry], upstreams: Int) -> Interleaving.Expected<Int> {
        var (waiting, running): ([Int], Int) = ([], upstreams)
        return fold(entries) { entry, expected, demand in
            switch entry {
            case .value(let value, _): waiting.append(value)
            case .end(_, failed: true):
                expected.end = .failed
                return
            case .end: running -= 1
            case .request: break
            }
            send(&waiting, &expected, &demand)
            if running == 0, waiting.isEmpty { expected.end = .finished }
        }
    }

    private func send(_ waiting: inout [Int], _ expected: inout Interleaving.Expected<Int>, _ demand: inout Int) {
        while demand > 0, !waiting.isEmpty {
            expected.values.append(waiting.removeFirst())
            if demand != .max { demand -= 1 }
        }
    }

    @Test("`switchToLatest` to the second upstream, for each value of the first, behaves like its model")
    func switchToLatest() {
        compare(Self.scripts) { a, b, token in
            a.map { _ in token.pass(b) }.switchToLatest()
        } model: { entries in
            var (isInside, isLast) = (false, false)
            return fold(entries) { entry, expected, _ in
                switch entry {
                case .value(_, by: 0): isInside = true
                case .value(let value, _): expected.values.append(value)
                case .end(_, failed: true):
                    expected.end = .failed
                    return
                case .end(by: 0, _): isLast = true
                case .end: isInside = false
                case .request: break
                }
                if isLast, !isInside { expected.end = .finished }
            }
        }
    }

    @Test("`flatMapLatest` to single values behaves like its model")
    func switchToValues() {
        let scripts = Self.scripts.filter { !$0.steps.contains { $0.feed == 1 } && $0.inside?.action.feed != 1 }
        compare(scripts, asks: Self.some) { a, _, token in
            a.flatMapLatest { OperatorCase.sequence([token.pass($0 * 10)]) }
        } model: { entries in
            var (latest, isLast): (Int?, Bool) = (nil, false)
            return fold(entries) { entry, expected, demand in
                switch entry {
                case .value(let value, _): latest = value * 10
                case .end(_, failed: true):
                    expected.end = .failed
                    return
                case .end: isLast = true
                case .request: break
                }
                if demand > 0, let value = latest {
                    expected.values.append(value)
                    latest = nil
                    if demand != .max { demand -= 1 }
                }
                if isLast, latest == nil { expected.end = .finished }
            }
        }
    }

    @Test("`withLatestFrom` behaves like its model", arguments: [true, false])
    func withLatestFrom(waits: Bool) {
        compare(waits ? Self.scripts : Self.pushed, asks: waits ? Self.same : Self.some) {
            $0.withLatestFrom($1) { [token = $2] in token.pass([$0, $1]) }
        } model: { entries in
            var latest: Int?
            return fold(entries) { entry, expected, _ in
                switch entry {
                case .value(let value, by: 0): if let latest { expected.values.append([value, latest]) }
                case .value(let value, _): latest = value
                case .end(_, failed: true): expected.end = .failed
                case .end(by: 0, _): expected.end = .finished
                case .end, .request: break
                }
            }
        }
    }

    @Test("`append` behaves like its model")
    func append() {
        compare(Self.scripts) { a, b, token in
            a.append(Deferred { token.pass(b) })
        } model: { entries in
            var finished = 0
            return fold(entries) { entry, expected, _ in
                switch entry {
                case .value(let value, _): expected.values.append(value)
                case .end(_, failed: true): expected.end = .failed
                case .end:
                    finished += 1
                    if finished == 2 { expected.end = .finished }
                case .request: break
                }
            }
        }
    }

    @Test("`prefix(untilOutputFrom:)` behaves like its model", arguments: [true, false])
    func prefix(waits: Bool) {
        compare(waits ? Self.scripts : Self.pushed, asks: Self.same) { a, b, token in
            a.map { token.pass($0) }.prefix(untilOutputFrom: b)
        } model: { entries in
            fold(entries) { entry, expected, _ in
                switch entry {
                case .value(let value, by: 0): expected.values.append(value)
                case .value: expected.end = .finished
                case .end(by: 0, let failed): expected.end = failed ? .failed : .finished
                case .end, .request: break
                }
            }
        }
    }

    @Test("`drop(untilOutputFrom:)` behaves like its model", arguments: [true, false])
    func drop(waits: Bool) {
        compare(waits ? Self.scripts : Self.pushed, asks: Self.some) { a, b, token in
            a.map { token.pass($0) }.drop(untilOutputFrom: b)
        } model: { entries in
            var isOpen = false
            return fold(entries) { entry, expected, _ in
                switch entry {
                case .value(let value, by: 0): if isOpen { expected.values.append(value) }
                case .value: isOpen = true
                case .end(by: 0, let failed): expected.end = failed ? .failed : .finished
                case .end(_, let failed): if !isOpen { expected.end = failed ? .failed : .finished }
                case .request: break
                }
            }
        }
    }
}
