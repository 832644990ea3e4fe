import Streams
import Testing

/// Every operator against a plain-list model of it, over all short scripts.
@Suite("Model: every operator sends what its model says")
struct ModelTests {
    @Test("over all short scripts", arguments: Table.rows)
    func rows(_ row: Row) {
        let scripts =
            switch row.traits.upstreams {
            case _ where row.traits.isTimed: Scripts.timed
            case 0: Scripts.alone
            case 1: Scripts.single
            default: Scripts.double
            }
        expectAll(row, scripts)
    }

    @Test("also behind one another, with the type erased in between", arguments: Table.linking)
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
            expectAll(pair, Scripts.few)
        }
    }

    private func expectAll(_ row: Row, _ scripts: [Script]) {
        if let bug = row.bug { return withKnownIssue("\(bug)") { tryAll(row, scripts) } }
        tryAll(row, scripts)
    }

    private func tryAll(_ row: Row, _ scripts: [Script]) {
        var failures = 0
        for script in scripts where !row.traits.wantsAll || script.demand == .everything {
            guard let complaint = row.run(script) else { continue }
            failures += 1
            // The first are the shortest, and say most.
            if failures <= 3 { Issue.record("\(row): \(complaint)") }
        }
        #expect(failures == 0, "\(row): \(failures) of \(scripts.count) scripts failed")
    }
}
