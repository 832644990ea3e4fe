import MoonlightTestSupport
import Streams
import Testing

/// `values` of every operator, compared with its model.
@Suite("`values` of every operator, compared with a model")
struct ValuesTests {
    @Test("A loop over `values` receives the values of the model, and ends as the upstream ends", arguments: Table.linking)
    func values(_ row: Row) async throws {
        let link = try #require(row.link)
        for script in Scripts.ended {
            let ledger = Ledger(upstreams: 1)
            let feed = Feed(script.manners, number: 0, isStrict: false, ledger: ledger)
            for case .send(let event, _) in script.ready { feed.send(event) }
            var (values, end): ([Int], End) = ([], .finished)
            do {
                for try await value in link.make(.feed(feed), Witness()).values { values.append(value) }
            } catch {
                end = .failed(error as? Oops ?? .second)
            }
            let (expected, expectedEnd) = link.model(ledger.history.values, ledger.history.end)
            expectEqual(values, expected, "\(row): \(script)")
            expectEqual(end, expectedEnd, "\(row): \(script)")
        }
    }
}
