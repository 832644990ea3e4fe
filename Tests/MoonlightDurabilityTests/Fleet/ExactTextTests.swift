import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// Texts that are equal as a `String`, and different to a storage.
@Suite("Ids and keys that differ only in their bytes")
struct ExactTextTests {
    private static let composed = "caf\u{e9}"
    private static let decomposed = "cafe\u{301}"
    /// The same combining marks in two orders, with the same number of bytes.
    private static let ordered = ("a\u{323}\u{307}", "a\u{307}\u{323}")

    private func fleet(
        on disk: SimulatedDisk, clock: FleetClock = FleetClock()
    ) -> Fleet<String, Till, Till.Event> {
        Fleet(
            reducer: Till.reducer, environment: { _ in Bank() },
            durable: DurableTills(
                storage: FleetFolder("fleet", files: disk), schema: Schema(Till.Effect.self), state: Schema(Till.self),
                events: Schema(Till.Event.self)),
            idle: .seconds(60), scheduler: clock.scheduler, now: { clock.now() }, initialState: { _ in Till() })
    }

    @Test(
        "Two ids with equal text and different bytes are two members: awake, asleep, or read again",
        arguments: [(composed, decomposed), ordered])
    func members(one: String, other: String) async throws {
        let (disk, clock) = (SimulatedDisk(), FleetClock())
        let fleet = fleet(on: disk, clock: clock)
        try await fleet.send(.add(1), to: one)
        try await fleet.send(.add(2), to: other)
        try await expectEqual(fleet.state(of: one).total, 1)
        try await fleet.sleep(clock)
        expectEqual(fleet.awake, [])
        try await fleet.send(.add(10), to: other)
        try await expectEqual(fleet.state(of: one).total, 1)
        try await expectEqual(fleet.state(of: other).total, 12)
        await fleet.drain(within: nil)
        let again = self.fleet(on: SimulatedDisk(disk.files))
        try await expectEqual(again.state(of: one).total, 1)
        try await expectEqual(again.state(of: other).total, 12)
        try await expectEqual(again.count(), 2)
        let ids = try await again.ids().ids.map { Array($0.utf8) }
        expectEqual(Set(ids), [Array(one.utf8), Array(other.utf8)])
    }

    @Test("Pages of the members in memory list both ids")
    func pages() async throws {
        let fleet = Fleet<String, Till, Till.Event>(
            reducer: Till.reducer, environment: { _ in Bank() }, initialState: { _ in Till() })
        for id in [Self.composed, Self.decomposed] { try await fleet.send(.add(1), to: id) }
        let first = try await fleet.ids(limit: 1)
        let second = try await fleet.ids(after: first.next, limit: 1)
        expectEqual((first.ids + second.ids).map { Array($0.utf8) }, [Array(Self.decomposed.utf8), Array(Self.composed.utf8)])
        expect(second.next == nil)
    }

    @Test("A page of the members in a folder lists both ids, even if one is written meanwhile")
    func pageOfFolder() throws {
        let disk = SimulatedDisk()
        let log = FleetLog("fleet", files: disk)
        _ = try log.open()
        @Sendable func append(_ id: String, _ number: UInt64) throws {
            let record = LogRecord(sequence: number, schema: 1, payload: [])
            try expectEqual(log.append([.init(id: id, expected: number - 1, records: [record])], synced: true), [nil])
        }
        for id in [Self.composed, Self.decomposed] { try append(id, 1) }
        disk.beforeRead = {
            disk.beforeRead = nil
            #expect(throws: Never.self) { try append(Self.decomposed, 2) }
        }
        let page = try log.ids(after: nil, limit: 10)
        expectEqual(page.ids.map { Array($0.utf8) }, [Array(Self.composed.utf8), Array(Self.decomposed.utf8)])
    }

    @Test("Events with keys of different bytes are handled separately")
    func keys() async throws {
        let store = try await open(SimulatedDisk())
        for key in [Self.composed, Self.decomposed, Self.composed] {
            expectEqual(word(await store.send(.add(1), key: key)), "done")
        }
        expectEqual(store.state.total, 2)
        await store.close()
    }

    @Test("Members with ids of different bytes have separate alarms")
    func alarms() {
        var book = AlarmBook()
        book.set(1, for: Self.composed)
        book.set(2, for: Self.decomposed)
        expectEqual(book.count, 2)
        expectEqual(
            book.takeDue(at: 5, most: 5).map { Array($0.utf8) }, [Array(Self.composed.utf8), Array(Self.decomposed.utf8)])
    }
}
