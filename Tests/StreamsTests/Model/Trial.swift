import Streams

/// One script with one chain: runs it step by step, and compares the observed events with the expected ones after each step.
final class Trial<Output: Equatable, Failure: Error> {
    private let script: Script
    private let traits: Row.Traits
    private let model: (History) -> Due<Output>
    private let ledger: Ledger
    private let feeds: [Feed]
    private var observer: Observer<Output, Failure>?
    private var time: VirtualTimeScheduler?
    private weak var witness: Witness?
    private weak var former: Observer<Output, Failure>?
    /// The number of values at the last check.
    private var seen = 0
    private var wasCancelled = false

    init(_ script: Script, _ traits: Row.Traits, model: @escaping (History) -> Due<Output>) {
        self.script = script
        self.traits = traits
        self.model = model
        let ledger = Ledger(upstreams: traits.upstreams)
        self.ledger = ledger
        feeds = (0..<traits.upstreams).map {
            Feed(script.manners, number: $0, isStrict: traits.isStrict, ledger: ledger)
        }
    }

    /// Runs the script; returns the fault, or nil.
    func run<P: Publisher<Output, Failure>>(_ make: ([Upstream], Witness) -> P) -> String? {
        script.ready.forEach(perform)
        subscribe(make)
        if let complaint = judge() { return report("at the start", complaint) }
        for (index, step) in script.steps.enumerated() {
            perform(step)
            if traits.isTimed { time?.advance(by: .zero) }
            if let complaint = judge() { return report("after step \(index), \(step)", complaint) }
        }
        if let observer, observer.end == nil, !observer.hasCancelled {
            observer.cancel()
            if traits.isTimed { time?.advance(by: .zero) }
            if let complaint = judge() { return report("after cancelling in the end", complaint) }
        }
        return judgeRelease().map { report("after the end", $0) }
    }

    private func subscribe<P: Publisher<Output, Failure>>(_ make: ([Upstream], Witness) -> P) {
        let observer = Observer<Output, Failure>(script, completesAnyway: traits.completesAnyway) { [unowned self] in perform($0)
        }
        self.observer = observer
        ledger.lookAtEnd = { [weak observer] in
            (observer?.open ?? 0, observer?.values.count ?? 0)
        }
        if script.demand > 0 { ledger.noteRequest() }
        let witness = Witness()
        self.witness = witness
        time = witness.time
        make(feeds.map(Upstream.feed), witness).subscribe(observer)
        if traits.isTimed { time?.advance(by: .zero) }
    }

    private func perform(_ action: Action) {
        switch action {
        case .send(let event, let feed): if feed < feeds.count { feeds[feed].send(event) }
        case .subscribeAgain: feeds.first?.subscribeAgain()
        case .request(let count):
            ledger.noteRequest()
            observer?.request(count)
        case .cancel: observer?.cancel()
        case .tick:
            ledger.tick()
            time?.advance(by: .seconds(1))
        }
    }

    private func report(_ place: String, _ complaint: String) -> String { "\(script)\n    \(place): \(complaint)" }

    // MARK: Judging

    private func judge() -> String? {
        guard let observer else { return nil }
        if let violation = observer.violations.first { return "the subscriber got \(violation)" }
        guard observer.subscription != nil else { return "the subscriber got no subscription" }
        let due = model(ledger.history)
        let complaint = judgeValues(observer, due) ?? judgeDemand(observer, due)
        (seen, wasCancelled) = (observer.values.count, observer.hasCancelled)
        return complaint ?? judgeCancellation(observer)
    }

    private func judgeValues(_ observer: Observer<Output, Failure>, _ due: Due<Output>) -> String? {
        // Values without demand, from an upstream that does not wait, do not use up demand.
        let count = observer.values.count
        if observer.unasked > 0, !ledger.hasUnasked { return "\(observer.unasked) values were not asked for" }
        let asked = observer.open == .everything ? .everything : count + observer.open
        var allowed = max(due.passing, min(asked, due.values.count))
        var end = allowed == due.values.count ? due.end : nil
        if !due.isPatient, case .failed = due.end {
            // A failure overtakes kept values, but not the values that were sent before it.
            end = due.end
            allowed = min(allowed, max(seen, count))
        }
        if observer.hasCancelled {
            end = wasCancelled || observer.end != nil ? observer.end : nil
            allowed = wasCancelled ? seen : min(allowed, max(seen, count))
        }
        var isRight = count == allowed && observer.end == end
        if isRight, traits.isAnyOrder, script.demand != .everything {
            isRight = isPart(observer.values, of: due.values)
        } else if isRight {
            for index in 0..<count where observer.values[index] != due.values[index] { isRight = false }
        }
        if isRight { return nil }
        let expected = Array(due.values.prefix(allowed))
        return """
            expected \(expected), \(end.map { "\($0)" } ?? "no end"); \
            observed \(observer.values), \(observer.end.map { "\($0)" } ?? "no end"). \
            In all, \(due.values) and \(due.end.map { "\($0)" } ?? "no end") are due
            """
    }

    private func isPart(_ part: [Output], of whole: [Output]) -> Bool {
        var rest = whole
        return part.allSatisfy { value in
            guard let index = rest.firstIndex(of: value) else { return false }
            rest.remove(at: index)
            return true
        }
    }

    private func judgeDemand(_ observer: Observer<Output, Failure>, _ due: Due<Output>) -> String? {
        if observer.end != nil || observer.hasCancelled || ledger.hasUnasked { return nil }
        for feed in feeds {
            let asks = feed.number == 0 ? traits.asks : traits.asksOthers
            let open = feed.open
            if open.isEmpty || isEnough(open, of: feed.number, asks, observer, due) { continue }
            let number = feed.number == 0 ? "" : " \(feed.number)"
            return "the subscriber waits for \(observer.open), and upstream\(number) was left with \(open) to send"
        }
        return nil
    }

    private func isEnough(
        _ open: [Int], of feed: Int, _ asks: Asking, _ observer: Observer<Output, Failure>, _ due: Due<Output>
    ) -> Bool {
        switch asks {
        case .same:
            let underWay = traits.isTimed ? valuesUnderWay(due) : 0
            return open.allSatisfy { $0.adding(.max(underWay)) == observer.open }
        case .exactly(let rule):
            let expected = observer.open == .everything ? .everything : rule(ledger.history, feed, observer.open)
            return open.allSatisfy { $0 == expected }
        case .everything: return open.allSatisfy { $0 == .everything }
        case .each: return observer.open == 0 || open.allSatisfy { $0 > 0 }
        case .enough:
            return observer.open == 0 || feeds.contains { $0.open.contains { $0 > 0 } }
        case .enoughIf(let canCome):
            return !canCome(ledger.history) || isEnough(open, of: feed, .enough, observer, due)
        case .anything: return true
        }
    }

    /// The number of values that have arrived and will be due later.
    private func valuesUnderWay(_ due: Due<Output>) -> Int {
        var later = ledger.history
        later.now = .max
        return model(later).values.count - due.values.count
    }

    private func judgeCancellation(_ observer: Observer<Output, Failure>) -> String? {
        let isOver = observer.end != nil || observer.hasCancelled
        for feed in feeds {
            for mark in feed.marks {
                if mark.isSurplus {
                    if mark.cancels != 1 { return "a second subscription was cancelled \(mark.cancels) times" }
                } else if isOver, mark.cancels != (mark.isCompleted ? 0 : 1) {
                    if traits.cancelsEnded, mark.isCompleted, mark.cancels == 1 { continue }
                    if traits.leavesOther, feed.number == 1, mark.cancels == 0 { continue }
                    return "an upstream that had \(mark.isCompleted ? "" : "not ")completed was cancelled "
                        + "\(mark.cancels) times"
                }
            }
        }
        return nil
    }

    private func judgeRelease() -> String? {
        // The subscriber retains its subscription.
        if witness != nil { return "the chain's closures are still alive" }
        let kept = observer?.subscription
        defer { _ = kept }
        former = observer
        observer = nil
        if former != nil { return "the subscriber is still alive" }
        for feed in feeds { feed.letGo() }
        if feeds.contains(where: { $0.marks.contains { $0.subscription != nil } }) {
            return "an upstream's subscription is still alive"
        }
        return nil
    }
}
