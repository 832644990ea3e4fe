import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Events with keys")
struct KeyTests {
    @Test("An event with a key is handled once, even after the store is opened again")
    func takenOnce() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        expectEqual(word(await store.send(.add(3), key: "a")), "done")
        expectEqual(word(await store.send(.add(3), key: "a")), "done")
        expectEqual(word(await store.send(.add(4), key: "b")), "done")
        expectEqual(store.state.total, 7)
        await store.close()
        let again = try await open(disk)
        expectEqual(word(await again.send(.add(3), key: "a")), "done")
        expectEqual(again.state.total, 7)
        try await again.durability?.snapshot()
        await again.close()
        let last = try await open(disk)
        expectEqual(last.durability?.recovery.snapshot, 2)
        expectEqual(word(await last.send(.add(3), key: "a")), "done")
        expectEqual(last.state.total, 7)
        await last.close()
    }

    @Test("A repeated key gets the same reading or rejection, even after the store is opened again")
    func sameAnswer() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        try await expectEqual(store.send(.add(3), key: "a") { $0.total }, 3)
        try await expectEqual(store.send(.add(3), key: "b") { $0.total }, 6)
        expectEqual(word(await store.send(.refuse, key: "c")), "rejected: no more at 6")
        expectEqual(word(await store.send(.add(1))), "done")
        await store.close()
        let again = try await open(disk)
        try await expectEqual(again.send(.add(3), key: "a") { $0.total }, 3)
        try await expectEqual(again.send(.add(3), key: "b") { $0.total }, 6)
        let repeated = await again.send(.add(9), key: "c")
        expectEqual(word(repeated), "rejected: no more at 6")
        guard case .failure(.rejected(let error)) = repeated else { return }
        expect(error is RepeatedRejection)
        expectEqual(again.state.total, 7)
        await again.close()
    }

    @Test("A reading that cannot be written leaves the event handled once, and each sender learns that there is none")
    func unwritableReading() async throws {
        let store = try await open(SimulatedDisk())
        var reasons: [String] = []
        for _ in 0..<2 {
            do throws(SendError) { _ = try await store.send(.add(3), key: "a") { _ in Double.infinity } } catch {
                guard case .notDurable(DurabilityError.unwritable(let reason), isTaken: true) = error else {
                    Issue.record("\(error)")
                    continue
                }
                reasons.append(reason)
            }
        }
        expectEqual(
            reasons,
            [
                "Unable to encode Double.inf directly in JSON.",
                "the first event with the key has left no reading, or one that its codec refuses",
            ])
        expectEqual(store.state.total, 3)
        expectEqual(store.durability?.status, .healthy)
        await store.close()
    }

    @Test("A key is forgotten when it leaves the window, by count or by time")
    func window() {
        var book = KeyBook(.latest(2, within: .seconds(10)))
        for (key, second) in [("a", 0), ("b", 1), ("c", 2)] as [(String, Int64)] { book.add(answer(key, second)) }
        expectEqual(book.all.map(\.key), ["b", "c"])
        expect(book.answer(to: "a", at: 2_000_000_000) == nil)
        expect(book.answer(to: "b", at: 11_000_000_000) != nil)
        expect(book.answer(to: "b", at: 11_000_000_001) == nil)
        book.add(answer("d", 20))
        expectEqual(book.all.map(\.key), ["d"])
        for number in 0..<1000 { book.add(answer("\(number)", 20)) }
        expectEqual(book.all.map(\.key), ["998", "999"])
    }

    @Test("A key that is used again after its time does not remove other keys before theirs")
    func usedAgain() {
        var book = KeyBook(.latest(100, within: .seconds(10)))
        let uses: [(String, Int64)] = [("k", 0), ("a", 11), ("k", 12), ("b", 23), ("k", 24), ("c", 30), ("d", 31), ("k", 35)]
        for (key, second) in uses { book.add(answer(key, second)) }
        expectEqual(book.all.map(\.key), ["c", "d", "k"])
    }

    private func answer(_ key: String, _ second: Int64) -> KeyedAnswer {
        KeyedAnswer(key: key, time: second * 1_000_000_000, rejection: nil, reading: [])
    }

    @Test("Concurrent events with one key get the same answer, and one of them is handled")
    func atOnce() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        let readings = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<8 { group.addTask { try? await store.send(.add(3), key: "a") { $0.total } } }
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        expectEqual(readings, Array(repeating: 3, count: 8))
        expectEqual(store.state.total, 3)
        await store.close()
    }

    @Test("An event of a reaction does not inherit the key of the event before it")
    func notInherited() async throws {
        let disk = SimulatedDisk()
        let store = try await open(
            disk,
            feedback: { states in
                [
                    states.react(to: { $0.total == 3 ? 1 : nil }) { _ in Just(Till.Event.add(10)) },
                    states.react(to: { $0.total == 13 ? 1 : nil }) { _ in Just(Till.Event.add(10)) },
                ]
            })
        expectEqual(word(await store.send(.add(3), key: "a")), "done")
        await store.quiet()
        expectEqual(store.state.total, 23)
        expectEqual(word(await store.send(.add(3), key: "a")), "done")
        expectEqual(store.state.total, 23)
        await store.close()
    }

    @Test("An accepted event with a key does not get the rejection of an earlier event")
    func rejectionBefore() async throws {
        let store = try await open(SimulatedDisk())
        expectEqual(word(await store.send(.refuse)), "rejected: no more at 0")
        expectEqual(word(await store.send(.add(1), key: "k")), "done")
        expectEqual(word(await store.send(.add(1), key: "k")), "done")
        expectEqual(store.state.total, 1)
        await store.close()
    }
}
