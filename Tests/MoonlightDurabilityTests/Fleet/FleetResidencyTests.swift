import MoonlightTestSupport
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Limits of waking in a fleet")
struct FleetResidencyTests {
    private var residency = FleetResidency(resident: 1, waking: 2, idle: 10)

    /// Wakes a member, which is used once.
    ///
    /// - Returns: The members that are asked to fall asleep because of it; nil if it was not woken.
    private mutating func visit(_ id: String) -> [FleetPlace]? {
        var actions: [FleetAction] = []
        _ = residency.enter(id, ticket: 0, &actions)
        guard case .wake(let place, _)? = actions.first else { return nil }
        residency.woke(place, at: 0, &actions)
        residency.leave(place, at: 0, &actions)
        return actions.compactMap { if case .rest(let place) = $0 { place } else { nil } }
    }

    @Test("Members wait to be woken while the allowed number of members is falling asleep, and are woken afterwards")
    mutating func endingHoldsUpWaking() throws {
        expectEqual(visit("first"), [])
        let first = try #require(visit("second")?.first)
        residency.ends(first)
        let second = try #require(visit("third")?.first)
        residency.ends(second)
        expect(visit("fourth") == nil)
        expect(visit("fifth") == nil)
        var actions: [FleetAction] = []
        residency.ended(first, &actions)
        expectEqual(
            actions,
            [
                .wake(try #require(residency.place(of: "fourth")), "fourth"),
                .wake(try #require(residency.place(of: "fifth")), "fifth"),
            ])
    }
}
