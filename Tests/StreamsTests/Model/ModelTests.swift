import MoonlightTestSupport
import Streams
import Testing

/// Every operator, compared with a model on plain lists, over all short scripts; the quick tier draws some for each.
@Suite("Every operator, compared with a model of it")
struct ModelTests {
    @Test("An operator sends and requests the same as its model, in short scripts of events", arguments: Table.rows)
    func rows(_ row: Row) {
        let scripts =
            switch row.traits.upstreams {
            case _ where row.traits.isTimed: Scripts.timed
            case 0: Scripts.alone
            case 1: Scripts.single
            default: Scripts.double
            }
        let wanted = row.traits.wantsAll ? scripts.filter { $0.demand == .everything } : scripts
        expectAll(row, Budget.sample(wanted, quick: 160, for: row.description))
    }

    @Test("An operator downstream of another one, with an erasure in between, behaves like both models", arguments: Table.linking)
    func pairs(_ first: Row) throws {
        let front = try #require(first.link)
        for second in Table.linking {
            let back = try #require(second.link)
            let asks = if case (.same, .same) = (front.asks, back.asks) { Asking.same } else { Asking.anything }
            let pair = Row.linking("\(first), \(second)", asks: asks) { up, w in
                back.make(.erased(front.make(up, w)), w)
            } model: { values, end in
                let (values, end) = front.model(values, end)
                return back.model(values, end)
            }
            expectAll(pair, Budget.sample(Scripts.few, quick: 6, for: pair.description))
        }
    }

    private func expectAll(_ row: Row, _ scripts: [Script]) {
        if let bug = row.bug {
            return withKnownIssue("\(bug)", isIntermittent: !Budget.isExhaustive) { tryAll(row, scripts) }
        }
        tryAll(row, scripts)
    }

    private func tryAll(_ row: Row, _ scripts: [Script]) {
        var failures = 0
        for script in scripts {
            guard let complaint = row.run(script) else { continue }
            failures += 1
            // The first are the shortest, and the most informative.
            if failures <= 3 { Issue.record("\(row): \(complaint)") }
        }
        expectEqual(failures, 0, "\(row): \(failures) of \(scripts.count) scripts failed")
    }
}
