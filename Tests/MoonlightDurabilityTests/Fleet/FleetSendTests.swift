import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Senders to the members of a fleet")
struct FleetSendTests {
    /// Sends with a limit of five seconds, and advances time by that while the send is in progress.
    private func timedOut(
        _ clock: ManualClock, until isUnderWay: () async throws -> Void,
        send: @escaping @Sendable (Duration) async throws(FleetError) -> Void
    ) async throws -> Bool? {
        let sending = Task { () -> Bool? in
            do throws(FleetError) { try await send(.seconds(5)) } catch {
                guard case .send("7", .timedOut(let isTaken)) = error else { return nil }
                expectEqual(error.isRetryable, !isTaken)
                return isTaken
            }
            return nil
        }
        await clock.sleepers(1)
        try await isUnderWay()
        clock.advance(by: .seconds(5))
        return await sending.value
    }

    @Test("A sender whose member is not awake at its deadline learns that its event was not taken, and others are served later")
    func notAwake() async throws {
        let (clock, gate, reading) = (ManualClock(), Flag(), Flag())
        let storage = HeldStorage(beforeRead: { _ in
            reading.raise()
            await gate.wait()
        })
        let fleet = tills(in: storage)
        let isTaken = try await timedOut(
            clock, until: { await reading.wait() },
            send: { limit async throws(FleetError) in
                try await fleet.send(.add(1), to: 7, within: limit, on: clock)
            })
        expectEqual(isTaken, false)
        gate.raise()
        try await expectEqual(fleet.send(.add(2), to: 7) { $0.total }, 2)
    }

    @Test("A sender whose event has not settled at its deadline learns that it was taken, and the event continues")
    func notSettled() async throws {
        let (clock, bank) = (ManualClock(), Bank())
        let fleet = tills(on: SimulatedDisk(), bank)
        let isTaken = try await timedOut(
            clock, until: { await bank.attempts.count(1) },
            send: { limit async throws(FleetError) in
                try await fleet.send(.pay("rent"), to: 7, key: "one", within: limit, on: clock)
            })
        expectEqual(isTaken, true)
        bank.answer("rent")
        for await state in fleet.states(of: 7) where state.receipts == ["rent"] { break }
        // A repeated event is not handled again.
        try await fleet.send(.pay("rent"), to: 7, key: "one", within: .seconds(5), on: clock)
        expectEqual(bank.attempts.count, 1)
    }

    @Test("A sender whose event is not in the log at its deadline learns that it was taken")
    func notWritten() async throws {
        let (clock, gate, appending) = (ManualClock(), Flag(), Flag())
        let storage = HeldStorage(beforeAppend: {
            appending.raise()
            await gate.wait()
        })
        let fleet = tills(in: storage)
        let isTaken = try await timedOut(
            clock, until: { await appending.wait() },
            send: { limit async throws(FleetError) in
                try await expectEqual(fleet.send(.add(1), to: 7, within: limit, on: clock) { $0.total }, 1)
            })
        expectEqual(isTaken, true)
        gate.raise()
        try await expectEqual(fleet.send(.add(2), to: 7) { $0.total }, 3)
    }

    @Test("A sender that is cancelled before its deadline gets that error, and one that is served in time its answer")
    func inTime() async throws {
        let (clock, bank) = (ManualClock(), Bank())
        let fleet = tills(on: SimulatedDisk(), bank)
        try await expectEqual(fleet.send(.add(1), to: 7, within: .seconds(5), on: clock) { $0.total }, 1)
        await expectEqual(
            word { () async throws(FleetError) in try await fleet.send(.refuse, to: 7, within: .seconds(5), on: clock) },
            "rejected: no more at 1")
        let sending = Task { () async -> String in
            await word { () async throws(FleetError) in try await fleet.send(.pay("rent"), to: 7, within: .seconds(5), on: clock)
            }
        }
        await bank.attempts.count(1)
        sending.cancel()
        await expectEqual(sending.value, "the task that waited for the event was cancelled; the event continues")
        bank.answer("rent")
    }

    @Test("A reading of an event with a key is answered again, also after sleep and when the fleet is opened again")
    func keyedReading() async throws {
        let (disk, clock) = (SimulatedDisk(), FleetClock())
        var fleet = tills(on: disk, clock: clock)
        try await expectEqual(fleet.send(.add(3), to: 7, key: "one") { $0.total }, 3)
        try await expectEqual(fleet.send(.add(4), to: 7, key: "two") { $0.total }, 7)
        try await expectEqual(fleet.send(.add(3), to: 7, key: "one") { $0.total }, 3)
        try await fleet.sleep(clock)
        try await expectEqual(fleet.send(.add(3), to: 7, key: "one") { $0.total }, 3)
        await fleet.drain(within: nil)
        fleet = tills(on: disk)
        try await expectEqual(fleet.send(.add(3), to: 7, key: "one") { $0.total }, 3)
        try await expectEqual(fleet.send(.add(3), to: 8, key: "one") { $0.total }, 3)
        // The first event with that key was rejected, and so is the second, in any state.
        for _ in 0..<2 {
            await expectEqual(
                word { () async throws(FleetError) in
                    try await expectEqual(fleet.send(.refuse, to: 7, key: "no") { $0.total }, 0)
                }, "rejected: no more at 7")
            try await fleet.send(.add(0), to: 7)
        }
        await fleet.drain(within: nil)
    }

    @Test("Work that is in flight for longer than a time is listed with its members, the oldest first")
    func stuck() async throws {
        let bank = Bank()
        let fleet = tills(on: SimulatedDisk(), bank)
        for (number, id) in [3, 1, 2].enumerated() {
            try await fleet.send(.pay("\(id)"), to: id, until: .decided)
            await bank.attempts.count(number + 1)
        }
        try await fleet.send(.add(1), to: 4)
        let all = fleet.inFlight()
        expectEqual(all.map(\.id), ["3", "1", "2"])
        expect(all.allSatisfy { "\($0.work)".contains("pay") })
        let later = all[1].work.since.advanced(by: .seconds(60))
        expectEqual(fleet.inFlight(longerThan: .seconds(60), at: later).map(\.id), ["3", "1"])
        expectEqual(fleet.inFlight(longerThan: .seconds(3600)).map(\.id), [])
        for id in 1...3 { bank.answer("\(id)") }
        await fleet.drain(within: nil)
        expectEqual(fleet.inFlight().map(\.id), [])
    }
}
