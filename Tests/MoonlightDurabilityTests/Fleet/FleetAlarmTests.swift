import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Alarms of a fleet")
struct FleetAlarmTests {
    /// A till whose alarm adds 100 if its total is 5. The alarm's time is 1,000 seconds plus the total.
    private static let alarm = FleetAlarm<Till, Till.Event>(
        at: { till in till.total > 0 && till.total < 900 ? WallTime(sinceEpoch: .seconds(1000 + till.total)) : nil },
        event: { _ in .add(1000) })

    @Test("An alarm wakes a sleeping member at its time, and not before")
    func wakes() async throws {
        let clock = FleetClock()
        let fleet = tills(on: SimulatedDisk(), clock: clock, idle: .seconds(10), alarm: Self.alarm)
        try await fleet.send(.add(100), to: 7)
        try await fleet.sleep(clock, .seconds(10))
        expectEqual(fleet.awake, [])
        expectEqual(fleet.counters.timers, 1)
        try await fleet.sleep(clock, .milliseconds(89_999))
        expectEqual(fleet.counters.alarms, 0)
        let observed = Noted<Int>()
        let watching = Task { for await till in fleet.states(of: 7) { observed.append(till.total) } }
        await observed.count(1)
        clock.advance(by: .milliseconds(1))
        await observed.count(2)
        expectEqual(observed.all, [100, 1100])
        expectEqual(fleet.counters.timers, 0)
        watching.cancel()
    }

    @Test(
        "An idle time or an alarm that is too far away or in the past does not trap",
        arguments: [Duration.seconds(Int64.min), .seconds(-1), .zero, .seconds(Int64.max)], [Int64.min, -5, .max])
    func extremes(_ idle: Duration, _ alarm: Int64) async throws {
        let far = FleetAlarm<Till, Till.Event>(
            at: { $0.total == 1 ? WallTime(sinceEpoch: .seconds(alarm)) : nil }, event: { _ in .add(10) })
        let clock = FleetClock(start: .seconds(-10))
        let fleet = tills(on: SimulatedDisk(), clock: clock, idle: idle, alarm: far)
        try await fleet.send(.add(1), to: 7)
        try await fleet.idle()
        clock.advance(by: .seconds(6))
        if alarm == .max {
            try expectEqual(await fleet.state(of: 7).total, 1)
        } else {
            try await until { fleet.counters.alarms == 1 }
        }
        await fleet.drain(within: nil)
    }

    @Test("A fleet has one timer for its alarms, however often an earlier one is set and sent")
    func timers() async throws {
        let hours = FleetAlarm<Till, Till.Event>(
            at: { till in till.total % 2 == 1 ? WallTime(sinceEpoch: .seconds(1000 + till.total)) : nil }, event: { _ in .add(1) }
        )
        let clock = FleetClock()
        let fleet = tills(on: SimulatedDisk(), clock: clock, idle: .seconds(100_000), alarm: hours)
        try await fleet.send(.add(50_001), to: 7)
        let before = clock.scheduler.pending
        try await fleet.send(.add(1), to: 8)
        for round in 1...20 {
            clock.advance(by: .seconds(2))
            try await until { fleet.counters.alarms == round }
            try await fleet.send(.add(1), to: 8)
        }
        try await fleet.idle()
        try await until { clock.scheduler.pending <= before }
        await fleet.drain(within: nil)
    }

    @Test("A member stays awake when its alarm is due within the idle time")
    func near() async throws {
        let clock = FleetClock()
        let fleet = tills(on: SimulatedDisk(), clock: clock, idle: .seconds(10), alarm: Self.alarm)
        try await fleet.send(.add(19), to: 7)
        try await fleet.send(.add(20), to: 8)
        try await fleet.sleep(clock, .seconds(10))
        expectEqual(fleet.awake, [7])
    }

    @Test("An alarm outlives the process, and an overdue one is sent when the fleet is opened")
    func process() async throws {
        let (disk, clock) = (SimulatedDisk(), FleetClock())
        let fleet = tills(on: disk, clock: clock, alarm: Self.alarm)
        try await fleet.send(.add(100), to: 7)
        try await fleet.send(.add(200), to: 8)
        await fleet.drain(within: nil)
        clock.advance(by: .seconds(150))
        let next = tills(on: disk, clock: clock, alarm: Self.alarm)
        let observed = Noted<Int>()
        let watching = Task { for await till in next.states(of: 7) { observed.append(till.total) } }
        while observed.last != 1100 { await observed.count(observed.count + 1) }
        expectEqual(next.awake, [7])
        expectEqual(next.counters.timers, 1)
        watching.cancel()
    }

    @Test("An alarm is not sent after the state has cleared it")
    func takenBack() async throws {
        let clock = FleetClock()
        let fleet = tills(on: SimulatedDisk(), clock: clock, idle: .seconds(10), alarm: Self.alarm)
        try await fleet.send(.add(100), to: 7)
        try await fleet.send(.add(1000), to: 7)
        try await fleet.sleep(clock, .seconds(1000))
        expectEqual(fleet.counters.alarms, 0)
        try await expectEqual(fleet.state(of: 7).total, 1100)
    }

    @Test("An alarm is sent once the storage works again, if its member could not be read or written", arguments: [false, true])
    func failure(isUnreadable: Bool) async throws {
        let (clock, storage) = (FleetClock(), HeldStorage())
        let fleet = tills(in: storage, clock: clock, idle: .seconds(10), snapshotEvery: 100, alarm: Self.alarm)
        try await fleet.send(.add(100), to: 7)
        try await fleet.sleep(clock, .seconds(10))
        expectEqual(fleet.awake, [])
        if isUnreadable { storage.makeUnreadable(["7"]) } else { storage.fail(.storage("full")) }
        clock.advance(by: .seconds(90))
        try await until { fleet.counters.unreadable + fleet.counters.failures == 1 && fleet.counters.timers == 1 }
        storage.makeUnreadable([])
        storage.fail(nil)
        clock.advance(by: .seconds(10))
        try await until { fleet.awake == [7] && fleet.counters.timers == 0 }
        try await until { try await fleet.state(of: 7).total == 1100 }
    }

    @Test("An alarm is sent at its time although an event that would have cleared it could not be written")
    func unwritten() async throws {
        let (clock, storage) = (FleetClock(), HeldStorage())
        let fleet = tills(in: storage, clock: clock, snapshotEvery: 100, alarm: Self.alarm)
        try await fleet.send(.add(100), to: 7)
        storage.fail(.storage("full"))
        await expectEqual(word { () async throws(FleetError) in try await fleet.send(.add(1000), to: 7) }, "not durable")
        storage.fail(nil)
        try await until { fleet.awake == [] && fleet.counters.timers == 1 }
        clock.advance(by: .seconds(10))
        try await until { fleet.awake == [7] && fleet.counters.timers == 1 }
        clock.advance(by: .seconds(90))
        try await until { fleet.counters.timers == 0 && fleet.counters.alarms == 1 }
        // The alarm is counted before its event is sent.
        try await until { try await fleet.state(of: 7).total == 1100 }
    }

    @Test("Work that was cancelled by a failure of the storage is attempted again once the storage works")
    func work() async throws {
        let (clock, storage, bank) = (FleetClock(), HeldStorage(), Bank())
        let fleet = tills(in: storage, bank, clock: clock, snapshotEvery: 100)
        try await fleet.send(.pay("rent"), to: 7, until: .decided)
        await bank.attempts.count(1)
        storage.fail(.storage("full"))
        let answer = await word { () async throws(FleetError) in try await fleet.send(.add(1), to: 7, until: .decided) }
        expectEqual(answer, "not durable")
        storage.fail(nil)
        try await until { fleet.awake == [] && fleet.counters.timers == 1 }
        clock.advance(by: .seconds(10))
        await bank.attempts.count(2)
        expectEqual(bank.attempts.all.map(\.number), [1, 2])
        bank.answer("rent")
        try await until { try await fleet.state(of: 7).receipts == ["rent"] }
    }

    @Test("The event of an alarm that wakes its member is sent once, and again when the member is woken later")
    func once() async throws {
        let (clock, bank) = (FleetClock(), Bank())
        let alarm = FleetAlarm<Till, Till.Event>(
            at: { $0.total > 0 ? WallTime(sinceEpoch: .seconds(1100)) : nil }, event: { _ in .refuse })
        let fleet = tills(on: SimulatedDisk(), bank, clock: clock, idle: .seconds(10), alarm: alarm)
        try await fleet.send(.add(1), to: 7)
        try await fleet.sleep(clock, .seconds(10))
        clock.advance(by: .seconds(90))
        func isDone(_ count: Int) -> Bool {
            let isSounding = fleet.core.guarded.withLock { $0.isSounding }
            return bank.seen.count >= count && fleet.counters.timers == 0 && !isSounding && fleet.report(on: 7).users == 0
        }
        try await until { isDone(2) }
        expectEqual(bank.seen.count, 2)
        // The sender of the alarm may still be leaving.
        try await until {
            clock.advance(by: .seconds(10))
            return fleet.awake == []
        }
        try await expectEqual(fleet.state(of: 7).total, 1)
        try await until { isDone(3) }
        expectEqual(bank.seen.count, 3)
        expectEqual(fleet.counters.alarms, 2)
    }

    /// A fleet whose member 7 is in the middle of an event until the gate is opened. Its alarm, and those of members with less than 200,
    /// is due at 1,100 seconds, others at 1,200.
    private func held(
        _ clock: FleetClock, _ inbox: InboxBound, _ events: PassthroughSubject<Till.Event, Never>,
        in storage: any FleetStorage = FleetFolder("fleet", files: SimulatedDisk())
    ) async throws -> (fleet: TillFleet, gate: Latch, worker: Worker) {
        let (isHeld, gate) = (Flag(), Latch())
        // A subject of its own, as one delivers its values one after another.
        let first = PassthroughSubject<Till.Event, Never>()
        let alarm = FleetAlarm<Till, Till.Event>(
            at: { till in
                if till.total == 101 {
                    isHeld.raise()
                    gate.wait()
                }
                return till.total > 0 && till.total < 900 ? WallTime(sinceEpoch: .seconds(till.total < 200 ? 1100 : 1200)) : nil
            }, event: { _ in .add(1000) })
        let fleet = tills(
            in: storage, clock: clock, idle: .seconds(1000), inbox: inbox, alarm: alarm,
            feedback: { id, _ in id == 7 ? [first.eraseToAnyPublisher(), events.eraseToAnyPublisher()] : [] })
        try await fleet.send(.add(100), to: 7)
        let worker = Worker { first.send(.add(1)) }
        await isHeld.wait()
        return (fleet, gate, worker)
    }

    @Test("An alarm whose event finds no room, or is dropped, is sent again after a second", arguments: [false, true])
    func full(isDropped: Bool) async throws {
        let (clock, events) = (FleetClock(), PassthroughSubject<Till.Event, Never>())
        let (fleet, gate, worker) = try await held(clock, isDropped ? .dropOldest(1) : .reject(1), events)
        defer { gate.open() }
        events.send(.add(2))
        clock.advance(by: .seconds(100))
        try await until {
            // Drops the event that waits.
            if isDropped { events.send(.add(2)) }
            return fleet.counters.refusals == 1
        }
        expectEqual(fleet.counters.alarms, 0)
        gate.open()
        worker.join()
        try await until { try await fleet.state(of: 7).total == 103 }
        clock.advance(by: .seconds(1))
        try await until { try await fleet.state(of: 7).total == 1103 }
        expectEqual(fleet.counters.alarms, 1)
    }

    @Test("An alarm whose event waits for room does not delay the alarms of other members")
    func waiting() async throws {
        let (clock, events) = (FleetClock(), PassthroughSubject<Till.Event, Never>())
        let (fleet, gate, worker) = try await held(clock, .suspend(1), events)
        defer { gate.open() }
        try await fleet.send(.add(200), to: 8)
        events.send(.add(2))
        clock.advance(by: .seconds(100))
        try await until { fleet.counters.alarms == 1 }
        clock.advance(by: .seconds(100))
        try await until { try await fleet.state(of: 8).total == 1200 }
        gate.open()
        worker.join()
        try await until { try await fleet.state(of: 7).total == 1103 }
    }

    @Test("An alarm whose event is on its way when its member is removed is sent later if that fails", arguments: [false, true])
    func removal(fails: Bool) async throws {
        let (clock, gates) = (FleetClock(), Noted<CheckedContinuation<Void, any Error>>())
        let storage = HeldStorage(beforeRemove: { try await withCheckedThrowingContinuation { gates.append($0) } })
        let (fleet, gate, worker) = try await held(clock, .unbounded, PassthroughSubject(), in: storage)
        defer { gate.open() }
        clock.advance(by: .seconds(100))
        try await until { fleet.counters.alarms == 1 }
        async let removed = word { () async throws(FleetError) in try await fleet.remove(7) }
        try await until { fleet.report(on: 7).phase == .ending }
        expectEqual(fleet.counters.ending, 1)
        gate.open()
        worker.join()
        await gates.count(1)
        try await until { fleet.counters.refusals == 1 }
        if fails { gates.all[0].resume(throwing: DurabilityError.storage("full")) } else { gates.all[0].resume() }
        await expectEqual(removed, fails ? "7 cannot be removed: full" : "done")
        try await until { fleet.counters.timers == (fails ? 1 : 0) }
        clock.advance(by: .seconds(10))
        guard fails else { return expectEqual(fleet.counters.wakes, 1) }
        // Reading the state would wake the member.
        try await until { fleet.awake == [7] && fleet.counters.alarms == 1 }
        try await until { try await fleet.state(of: 7).total == 1101 }
    }

    @Test("An alarm whose event finds that its member's loop has ended is sent to the next loop")
    func ended() async throws {
        let clock = FleetClock()
        let end = Lock<(@Sendable () -> Void)?>(nil)
        let alarm = FleetAlarm<Till, Till.Event>(
            at: { $0.total == 100 ? WallTime(sinceEpoch: .seconds(1100)) : nil },
            event: { _ in
                end.withLock { $0.take() }?()
                return .add(1000)
            })
        let fleet = tills(in: HeldStorage(), clock: clock, idle: .seconds(1000), alarm: alarm)
        try await fleet.send(.add(100), to: 7)
        let core = fleet.core
        // A thread of the fleet's own closes the log, and does not take longer than so many looks.
        end.withLock {
            $0 = {
                core.look("7")?.1?.store.cancel()
                for _ in 0..<10_000_000 where core.look("7") == nil { break }
            }
        }
        clock.advance(by: .seconds(100))
        try await until { fleet.counters.refusals == 1 && fleet.counters.sleeps == 1 }
        try await until { fleet.counters.timers == 1 }
        clock.advance(by: .seconds(10))
        try await until { fleet.awake == [7] && fleet.counters.alarms == 1 }
        try await until { try await fleet.state(of: 7).total == 1100 }
    }

    @Test("An alarm whose event was handled is not sent again if work that it started was interrupted")
    func interrupted() async throws {
        let (clock, bank) = (FleetClock(), Bank())
        let reducer = Reducer<Till, Till.Event, Till.Effect, Bank>(
            transform: { state, event, bank in
                guard case .payAgain(let name) = event else { return try Till.reducer.transform(state, event, bank) }
                return bank.pay(name).job("pay", .ignoreNew).eraseToAnyPublisher()
            }, apply: { (state: inout Till, effect: Till.Effect) in discard(try Till.reducer.apply(effect, to: &state)) })
        let fleet = TillFleet(
            reducer: reducer, environment: { _ in bank },
            durable: DurableTills(storage: HeldStorage(), schema: Schema(Till.Effect.self), state: Schema(Till.self)),
            idle: .seconds(1000),
            alarm: FleetAlarm(
                at: { $0.total > 0 ? WallTime(sinceEpoch: .seconds(1100)) : nil }, event: { _ in .payAgain("rent") }),
            scheduler: clock.scheduler, now: { clock.now() }, initialState: { _ in Till() })
        try await fleet.send(.add(1), to: 7)
        try await fleet.send(.payAgain("rent"), to: 7, until: .decided)
        clock.advance(by: .seconds(100))
        try await until {
            fleet.counters.refusals == 1 && fleet.report(on: 7).users == 0 && !fleet.core.guarded.withLock { $0.isSounding }
        }
        expectEqual(fleet.counters.alarms, 1)
        expectEqual(fleet.counters.timers, 0)
        bank.answer("rent")
        await fleet.drain(within: nil)
    }

    @Test("An alarm that is set to a later time is sent at that time only")
    func moved() async throws {
        let clock = FleetClock()
        let fleet = tills(on: SimulatedDisk(), clock: clock, idle: .seconds(10), alarm: Self.alarm)
        try await fleet.send(.add(100), to: 7)
        try await fleet.send(.add(50), to: 7)
        try await fleet.sleep(clock, .seconds(149))
        expectEqual(fleet.counters.alarms, 0)
        expectEqual(fleet.awake, [])
        let observed = Noted<Int>()
        let watching = Task { for await till in fleet.states(of: 7) { observed.append(till.total) } }
        await observed.count(1)
        clock.advance(by: .seconds(1))
        await observed.count(2)
        expectEqual(observed.all, [150, 1150])
        watching.cancel()
    }
}

@Suite("`MemberAlarm`")
struct MemberAlarmTests {
    @Test("An alarm is taken once after each change of its time")
    func taken() {
        var alarm = MemberAlarm(time: 5)
        expectEqual(alarm.take(at: 4), nil)
        expectEqual(alarm.take(at: 5)?.time, 5)
        expectEqual(alarm.take(at: 9), nil)
        expect(!alarm.set(5))
        expectEqual(alarm.take(at: 9), nil)
        expect(alarm.set(7))
        expectEqual(alarm.take(at: 6), nil)
        expectEqual(alarm.take(at: 9)?.time, 7)
        expect(alarm.set(nil))
        expectEqual(alarm.take(at: 9), nil)
    }

    @Test("An alarm that is put back is taken again, unless its time was changed meanwhile, even if it was changed back")
    func putBack() throws {
        var alarm = MemberAlarm(time: 5)
        let taken = alarm.take(at: 9)
        let first = try #require(taken)
        alarm.putBack(first)
        expectEqual(alarm.take(at: 9), first)
        expect(alarm.set(7) && alarm.set(5))
        expectEqual(alarm.take(at: 9)?.time, 5)
        alarm.putBack(first)
        expectEqual(alarm.take(at: 9), nil)
    }
}

@Suite("`AlarmBook`")
struct AlarmBookTests {
    @Test("An alarm book agrees with a plain list after random changes", arguments: Budget.seeds(200))
    func list(seed: Int) {
        var (dice, book, list) = (Dice(seed: seed), AlarmBook(), [String: Int64]())
        for _ in 0..<300 {
            let (id, time) = ("\(dice.roll(20))", Int64(dice.roll(50)))
            switch dice.roll(4) {
            case 0: (list[id], _) = (nil, book.set(nil, for: id))
            case 1:
                let due = book.takeDue(at: time, most: 3)
                expect(due.allSatisfy { list[$0]! <= time })
                let times = due.map { list[$0]! }
                expect(times == times.sorted() && times == Array(list.values.sorted().prefix(due.count)))
                for id in due { list[id] = nil }
                expect(due.count == 3 || list.values.allSatisfy { $0 > time })
            default: (list[id], _) = (time, book.set(time, for: id))
            }
            expectEqual(book.next, list.values.min())
            expectEqual(book.count, list.count)
        }
    }

    @Test("An alarm whose event was on its way is set again, unless its member was removed meanwhile")
    func sending() {
        var book = AlarmBook()
        let numbers = ["a", "b", "c", "b"].map { book.begin($0) }
        book.remove("b")
        let next = book.begin("b")
        for number in numbers { book.end(number, again: number == numbers[2] ? nil : 5) }
        expectEqual(book.takeDue(at: 9, most: 9), ["a"])
        book.end(next, again: 6)
        book.end(next, again: 5)
        expectEqual(book.takeDue(at: 9, most: 9), ["b"])
        expectEqual(book.count, 0)
    }

    @Test("An alarm is brought forward, and not put off")
    func forward() {
        var book = AlarmBook()
        book.bring("a", forward: 5)
        book.bring("a", forward: 7)
        expectEqual(book.next, 5)
        book.bring("a", forward: 3)
        expectEqual(book.next, 3)
        expectEqual(book.takeDue(at: 9, most: 9), ["a"])
    }
}
