import Foundation
import Moonlight
import MoonlightDurability
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import LedgerSample

@Suite("Samples: ledger")
struct LedgerTests {
    @Test("Both halves of a posting are made, and impossible ones are refused")
    func postings() throws {
        try Plan(ledger, given: Ledger()) { _ in () }
            .when(Posting(amount: 100, from: "equity", to: "cash"))
            .when(Posting(amount: 30, from: "cash", to: "rent"))
            .then(\.balances, equals: ["equity": -100, "cash": 70, "rent": 30])
            .rejects(Posting(amount: 71, from: "cash", to: "rent"), Rejection("cash has only 70"))
            .rejects(Posting(amount: 1, from: "cash", to: "cash"), Rejection("both accounts are cash"))
            .rejects(Posting(amount: 0, from: "cash", to: "rent"), Rejection("0 is no amount"))
            .run()
    }

    @Test("A line is answered when it is durable, and a key is applied once, also by a store that is opened later")
    func lines() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ledger-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for repetition in 1...2 {
            let book = try await open(folder)
            await expectEqual(answer("post k1 100 equity cash", book), ["ok k1"])
            await expectEqual(
                answer("post k\(repetition + 1) 200 cash rent", book), ["refused k\(repetition + 1): cash has only 100"])
            await expectEqual(answer("balance", book), ["cash 100", "equity -100"])
            await expectEqual(answer("post k4 much equity cash", book), ["unknown amount: much"])
            discard(await book.drain(within: nil))
            await book.durability?.closed()
        }
    }
}
