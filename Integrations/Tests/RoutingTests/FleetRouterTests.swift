import Moonlight
import MoonlightDurability
import Synchronization
import Testing

@testable import MoonlightRouting

@Suite("Routers of a fleet")
struct FleetRouterTests {
    private let rooms = (0..<8).map { "room \($0)" }

    @Test("Events sent on any machine reach the one owner of the member once, in the order of each sender")
    func everywhere() async throws {
        let town = Town()
        let routers = [await town.router().router, await town.router().router, await town.router().router]
        for number in 0..<5 {
            for room in rooms {
                for (place, router) in routers.enumerated() { try await town.send("\(place)-\(number)", to: room, by: router) }
            }
        }
        for partition in 0..<town.partitions {
            #expect(routers.count { $0.owned.contains(partition) } == 1, "partition \(partition)")
        }
        for room in rooms {
            let guests = try await town.guests(in: room)
            #expect(guests == (0..<5).flatMap { number in (0..<3).map { "\($0)-\(number)" } })
        }
    }

    @Test("Many simultaneous events are each applied once, and a partition is opened once")
    func atOnce() async throws {
        let town = Town(partitions: 1)
        let routers = [await town.router().router, await town.router().router]
        let failures = await town.passing {
            await withTaskGroup(of: Bool.self) { group in
                for number in 0..<60 {
                    group.addTask { (try? await routers[number % 2].send(.init(guest: "\(number)"), to: "a")) == nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        #expect(failures == 0)
        #expect(town.logs.openings.withLock { $0 } == ["0": 1])
        #expect(try await town.guests(in: "a").sorted() == (0..<60).map { "\($0)" }.sorted())
    }

    @Test("An event whose answer is lost is sent again, and applied once")
    func lostAnswer() async throws {
        let town = Town()
        let (owner, other) = (await town.router().router, await town.router().router)
        try await town.send("first", to: "a", by: owner)
        town.courier.loseAnswers(2)
        try await town.send("second", to: "a", by: other)
        #expect(try await town.guests(in: "a") == ["first", "second"])
    }

    @Test("An event whose task is cancelled gets an error that says so, and the owner stays known")
    func cancelled() async throws {
        let town = Town()
        let (owner, other) = (await town.router().router, await town.router().router)
        try await town.send("first", to: "a", by: owner)
        try await town.send("second", to: "a", by: other)
        let takes = town.leases.takes.load(ordering: .relaxed)
        let error = await town.passing {
            let sending = Task { () -> RoutingError? in
                withUnsafeCurrentTask { $0?.cancel() }
                do throws(RoutingError) { try await other.send(.init(guest: "third"), to: "a") } catch { return error }
                return nil
            }
            return await sending.value
        }
        #expect(error == .unanswered("the task was cancelled", isTaken: true))
        try await town.send("fourth", to: "a", by: other)
        #expect(town.leases.takes.load(ordering: .relaxed) == takes)
        #expect(try await town.guests(in: "a").last == "fourth")
    }

    @Test("An event that the courier can never send is refused at once, and the owner stays known")
    func tooLarge() async throws {
        let town = Town()
        let (owner, other) = (await town.router().router, await town.router().router)
        try await town.send("first", to: "a", by: owner)
        town.courier.largest.store(1000, ordering: .relaxed)
        await #expect(throws: RoutingError.invalid("too large")) {
            try await other.send(.init(guest: String(repeating: "x", count: 1000)), to: "a")
        }
        try await town.send("second", to: "a", by: other)
        #expect(try await town.guests(in: "a") == ["first", "second"])
    }

    @Test("An event that can no longer be sent after an attempt without an answer may have been taken")
    func invalidLater() async throws {
        /// A courier that loses the first answer, and then refuses every request.
        final class Failing: Courier {
            let base: MemoryCourier
            let count = Atomic<Int>(0)
            init(_ base: MemoryCourier) { self.base = base }

            func listen(as name: String, _ answer: @escaping MemoryCourier.Answer) -> any Listening {
                base.listen(as: name, answer)
            }

            func ask(_ name: String, _ request: [UInt8], within time: Duration) async -> CourierAnswer {
                guard count.wrappingAdd(1, ordering: .relaxed).newValue == 1 else { return .invalid("too large") }
                _ = await base.ask(name, request, within: time)
                return .unanswered
            }
        }
        let town = Town()
        let owner = await town.router().router
        try await town.send("first", to: "a", by: owner)
        let other = Town.Router(
            "rooms", partitions: town.partitions, leases: town.leases, courier: Failing(town.courier), events: .json,
            scheduler: town.clock, fleet: town.fleet)
        await #expect(throws: RoutingError.unanswered("too large", isTaken: true)) {
            try await town.send("second", to: "a", by: other)
        }
        #expect(try await town.guests(in: "a") == ["first", "second"])
    }

    @Test("An event whose answer the courier can never send fails at once, and may have been taken")
    func tooLargeAnswer() async throws {
        let town = Town()
        let (owner, other) = (await town.router().router, await town.router().router)
        try await town.send("first", to: "a", by: owner)
        town.courier.largestAnswer.store(0, ordering: .relaxed)
        await #expect(throws: RoutingError.unanswered("too large", isTaken: true)) {
            try await town.send("second", to: "a", by: other)
        }
        #expect(try await town.guests(in: "a") == ["first", "second"])
    }

    @Test("A repeated idempotency key returns the first answer")
    func key() async throws {
        let town = Town()
        let (owner, other) = (await town.router().router, await town.router().router)
        try await town.send("guest", to: "a", by: owner, key: "k")
        try await town.send("guest", to: "a", by: other, key: "k")
        #expect(try await town.guests(in: "a") == ["guest"])
    }

    @Test("A rejection returns its reason, locally and remotely, and is not retried")
    func rejected() async throws {
        let town = Town()
        let (owner, other) = (await town.router().router, await town.router().router)
        try await town.send("guest", to: "a", by: owner)
        for router in [owner, other] {
            await #expect(throws: RoutingError.rejected("closed to nobody, after 1")) {
                try await town.send("nobody", to: "a", by: router)
            }
        }
        #expect(town.courier.requests.load(ordering: .relaxed) == 1)
        #expect(RoutingError.rejected("").isRetryable)
    }

    @Test("Another machine takes over from a lost owner after the lease, with everything that was acknowledged")
    func ownerLost() async throws {
        let town = Town()
        let (owner, name) = await town.router()
        let other = await town.router().router
        for number in 0..<10 { try await town.send("\(number)", to: "a", by: owner) }
        // As if the process were killed: the router neither listens nor renews.
        town.courier.cut(name)
        town.leases.cut(name)
        let start = town.clock.now
        try await town.send("late", to: "a", by: other)
        let time = town.clock.now.offset - start.offset
        #expect(time <= .milliseconds(4_500), "\(time)")
        #expect(try await town.guests(in: "a") == (0..<10).map { "\($0)" } + ["late"])
        #expect(owner.owned.isEmpty)
    }

    @Test("An owner that cannot renew stops before its lease ends, and its senders learn that nothing was taken")
    func ownerCut() async throws {
        let town = Town()
        let (owner, name) = await town.router(patience: .seconds(6))
        try await town.send("first", to: "a", by: owner)
        #expect(owner.owned.count == 1)
        town.leases.cut(name)
        let key = try #require(owner.owned.first.map { "route-rooms-\($0)" })
        await town.until { owner.owned.isEmpty }
        // No other router can have the lease yet.
        #expect(town.leases.holder(of: key) == name)
        do throws(RoutingError) {
            try await town.send("second", to: "a", by: owner)
            Issue.record("accepted without a lease")
        } catch {
            guard case .unanswered(_, isTaken: false) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(error.isRetryable)
        }
        town.leases.cut(name, false)
        try await town.send("third", to: "a", by: owner)
        #expect(try await town.guests(in: "a") == ["first", "third"])
    }

    @Test("A lease is renewed as long as the router exists")
    func renewed() async throws {
        let town = Town()
        let owner = await town.router().router
        try await town.send("first", to: "a", by: owner)
        let end = town.clock.now.advanced(by: .seconds(30))
        await town.until { town.clock.now >= end || owner.owned.isEmpty }
        #expect(owner.owned.count == 1)
        #expect(town.logs.openings.withLock { $0.values.reduce(0, +) } == 1)
    }

    @Test("A drained router hands over at once, refuses new events, and loses nothing")
    func drained() async throws {
        let town = Town()
        let (owner, other) = (await town.router().router, await town.router().router)
        for room in rooms { try await town.send("first", to: room, by: owner) }
        await town.passing { await owner.drain(within: .seconds(5)) }
        #expect(owner.owned.isEmpty)
        let start = town.clock.now
        for room in rooms { try await town.send("second", to: room, by: other) }
        let time = town.clock.now.offset - start.offset
        #expect(time < .seconds(2), "\(time)")
        await #expect(throws: RoutingError.draining) { try await town.send("third", to: "room 0", by: owner) }
        for room in rooms { #expect(try await town.guests(in: room) == ["first", "second"]) }
    }

    @Test("A fleet that cannot be opened is created again at the next request")
    func broken() async throws {
        let town = Town()
        let owner = await town.router().router
        town.logs.isBroken.store(true, ordering: .relaxed)
        let sending = Task { try await owner.send(.init(guest: "guest"), to: "a") }
        await town.until { town.clock.now.offset >= .seconds(1) }
        town.logs.isBroken.store(false, ordering: .relaxed)
        try await town.passing { await sending.result }.get()
        #expect(try await town.guests(in: "a") == ["guest"])
    }

    @Test("A standby router takes its share unasked")
    func standby() async throws {
        let town = Town()
        let (one, two) = (await town.router(unasked: 2).router, await town.router(unasked: 2).router)
        await town.until { one.owned.count == 2 && two.owned.count == 2 }
        #expect(Set(one.owned).isDisjoint(with: two.owned))
    }

    @Test("Processes that disagree on the number of partitions report it")
    func disagreement() async throws {
        let town = Town(partitions: 4)
        let owner = await town.router(unasked: 4).router
        await town.until { owner.owned.count == 4 }
        let other = await town.router(partitions: 3).router
        // An id whose partition number is valid for both, but different.
        let room = try #require(rooms.first { partition(of: $0, among: 4) != partition(of: $0, among: 3) })
        do throws(RoutingError) {
            try await town.send("guest", to: room, by: other)
            Issue.record("accepted")
        } catch { if case .invalid = error {} else { Issue.record("\(error)") } }
    }

    @Test("Of two routers that both believe to own a member, the log refuses one")
    func fenced() async throws {
        let town = Town(partitions: 1)
        let (one, two) = (town.fleet(0), town.fleet(0))
        try await one.send(.init(guest: "first"), to: "a", key: "1", until: .decided)
        try await two.send(.init(guest: "second"), to: "a", key: "2", until: .decided)
        do throws(FleetError) {
            try await one.sendConfirmed(.init(guest: "third"), to: "a", key: "3")
            Issue.record("decided on an old state")
        } catch {
            guard case .send(_, .notDurable(_, isTaken: true)) = error else {
                Issue.record("\(error)")
                return
            }
        }
        // The member is read again, and continues.
        try await one.sendConfirmed(.init(guest: "third"), to: "a", key: "3")
        #expect(try await town.guests(in: "a") == ["first", "second", "third"])
        await one.drain(within: .zero)
        await two.drain(within: .zero)
    }

    @Test("A rejection that was decided on an outdated state is not returned")
    func fencedRejection() async throws {
        let town = Town(partitions: 1)
        let (one, two) = (town.fleet(0), town.fleet(0))
        try await one.send(.init(guest: "first"), to: "a", key: "1", until: .decided)
        try await two.send(.init(guest: "second"), to: "a", key: "2", until: .decided)
        do throws(FleetError) {
            try await one.sendConfirmed(.init(guest: "nobody"), to: "a", key: "3")
            Issue.record("accepted")
        } catch {
            switch error {
            case .send(_, .notDurable(_, isTaken: true)): break
            case .send(_, .rejected(let reason)): #expect("\(reason)" == "closed to nobody, after 2")
            default: Issue.record("\(error)")
            }
        }
        await #expect(throws: FleetError.self) { try await one.sendConfirmed(.init(guest: "nobody"), to: "a", key: "3") }
        await one.drain(within: .zero)
        await two.drain(within: .zero)
    }
}
