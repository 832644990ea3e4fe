import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

/// Serialized, because one test resets the maxima of all named stores.
@Suite("`Store.counters`", .serialized)
struct CountersTests {
    private struct Refused: Error {}

    private enum Event: Sendable {
        case add(Int)
        case refuse
        case later(PassthroughSubject<Int, Never>)
    }

    private func store(_ options: LoopOptions<Int, Event, Int>) -> Store<Int, Event> {
        Store(
            reducer: Reducer(
                transform: { (_, event, _) -> AnyPublisher<Int, Never> in
                    switch event {
                    case .add(let number): return .just(number)
                    case .refuse: throw Refused()
                    case .later(let effects): return effects.eraseToAnyPublisher()
                    }
                }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: options)
    }

    @Test("A store without a name has no counters")
    func nameless() {
        expect(store(LoopOptions()).counters == nil)
        expect(store(LoopOptions(effectLimit: 1)).counters == nil)
    }

    @Test("A new store has counted nothing")
    func beginning() throws {
        let store = store(LoopOptions(name: "new"))
        let counters = try #require(store.counters)
        expectEqual([counters.events, counters.refusals, counters.waiting, counters.liveEffects], [0, 0, 0, 0])
        expectEqual([counters.longestTurn, counters.longestWait], [.zero, .zero])
    }

    @Test("Events are counted, including refused ones, and refusals separately")
    func events() {
        let store = store(LoopOptions(name: "events are counted"))
        for event in [Event.add(1), .refuse, .add(2)] { store.post(event) }
        expectEqual(store.counters?.name, "events are counted")
        expectEqual(store.counters?.events, 3)
        expectEqual(store.counters?.refusals, 1)
    }

    @Test(
        "A store that its own closure cancels counts nothing as waiting or live",
        arguments: [InboxBound.unbounded, .suspend(10)])
    func cancelled(bound: InboxBound) {
        let store = store(LoopOptions(name: "cancelled", inbox: bound))
        let sink = store.states.sink { [weak store] state in
            guard state == 1 else { return }
            for _ in 1...3 { store?.post(.add(1)) }
            store?.cancel()
        }
        store.post(.later(PassthroughSubject()))
        store.post(.add(1))
        expectEqual(store.counters?.waiting, 0)
        expectEqual(store.counters?.liveEffects, 0)
        sink.cancel()
    }

    @Test("A queued event is counted as waiting until it is handled", arguments: [InboxBound.unbounded, .suspend(10)])
    func waiting(bound: InboxBound) {
        let store = store(LoopOptions(name: "waiting", inbox: bound))
        let seen = Recorder<Int>()
        let sink = store.states.sink { [weak store] state in
            if state == 1 { for _ in 1...3 { store?.post(.add(1)) } }
            seen.append(store?.counters?.waiting ?? -1)
        }
        store.post(.add(1))
        expectEqual(seen.all, [0, 3, 2, 1, 0])
        expectEqual(store.counters?.waiting, 0)
        sink.cancel()
    }

    @Test("An event that is dropped, coalesced or refused for lack of room is not counted as waiting")
    func leftTheLine() {
        for (bound, fold) in [(InboxBound.dropOldest(1), false), (.reject(1), false), (.unbounded, true)] {
            var options = LoopOptions<Int, Event, Int>(name: "line", inbox: bound)
            if fold { options.coalesce = { _, newer in newer } }
            let store = store(options)
            let seen = Recorder<Int>()
            let sink = store.states.sink { [weak store] state in
                if state == 1 { for _ in 1...3 { store?.post(.add(1)) } }
                seen.append(store?.counters?.waiting ?? -1)
            }
            store.post(.add(1))
            expectEqual(seen.all, [0, 1, 0])
            expect(store.counters?.refusals == (fold ? 0 : 2))
            sink.cancel()
        }
    }

    private struct Room: Equatable, Sendable { var pots = [1: 0] }
    private enum RoomEvent: Sendable {
        case pour(Int, Int)
        case isFull(Int)
        static let pour = CasePath(RoomEvent.pour) { if case .pour(let id, let amount) = $0 { (id, amount) } else { nil } }
    }

    @Test("A follow-up event is counted as waiting until it is handled")
    func followUps() {
        let pot = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 += $1 })
        let room = Reducer<Room, RoomEvent, RoomEvent, Void>().combined(
            with: pot.scoped(
                toEach: \.pots, event: RoomEvent.pour, effect: RoomEvent.pour, environment: { $0 },
                result: { id, level in level > 9 ? .isFull(id) : nil }))
        let store = Store(
            reducer: room, initialState: Room(), environment: (), options: LoopOptions(name: "a room with pots"))
        let seen = Recorder<Int>()
        let sink = store.states.sink { [weak store] _ in seen.append(store?.counters?.waiting ?? -1) }
        store.post(.pour(1, 5))
        store.post(.pour(1, 5))
        expect(store.state.pots.isEmpty)
        expectEqual(seen.all, [0, 0, 1])
        expectEqual(store.counters?.waiting, 0)
        expectEqual(store.counters?.events, 3)
        sink.cancel()
    }

    @Test("A follow-up event of an effect that another part of the reducer rejects is never sent")
    func rejectedFollowUp() {
        let pot = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 += $1 })
        let strict = Reducer<Room, RoomEvent, RoomEvent, Void>(
            transform: { _, _, _ in Empty().eraseToAnyPublisher() },
            apply: { (_: inout Room, effect: RoomEvent) in if case .pour(1, _) = effect { throw Refused() } })
        let room = Reducer<Room, RoomEvent, RoomEvent, Void>.combine(
            pot.scoped(
                toEach: \.pots, event: RoomEvent.pour, effect: RoomEvent.pour, environment: { $0 },
                result: { id, level in level > 9 ? .isFull(id) : nil }), strict)
        let store = Store(
            reducer: room, initialState: Room(pots: [1: 0, 2: 0]), environment: (),
            options: LoopOptions(name: "a room with a strict part"))
        store.post(.pour(1, 10))
        expectEqual(store.state.pots, [1: 0, 2: 0])
        expectEqual(store.counters?.events, 1)
        store.post(.pour(2, 3))
        expectEqual(store.state.pots, [1: 0, 2: 3])
        expectEqual(store.counters?.events, 2)
    }

    @Test("Live effects are counted until they end")
    func liveEffects() {
        let (store, effects) = (store(LoopOptions(name: "live")), PassthroughSubject<Int, Never>())
        for _ in 1...2 { store.post(.later(effects)) }
        expectEqual(store.counters?.liveEffects, 2)
        effects.send(completion: .finished)
        expectEqual(store.counters?.liveEffects, 0)
    }

    @Test("The longest turn and the longest wait are kept until they are reset")
    func longest() {
        let time = Lock(0)
        var options = LoopOptions<Int, Event, Int>(name: "longest \(UInt64.random(in: .min ... .max))")
        options.clock = { time.withLock { $0 } }
        let store = store(options)
        let sink = store.states.sink { [weak store] state in
            time.withLock { $0 += state * 1_000_000 }
            if state == 20 { store?.post(.add(1)) }
        }
        store.post(.add(20))
        store.post(.add(9))
        expectEqual(store.counters?.longestTurn, .milliseconds(30))
        // It was sent after the observer's slow turn.
        expectEqual(store.counters?.longestWait, .zero)
        StoreRegistry.shared.resetLongest()
        expectEqual(store.counters?.longestTurn, .zero)
        let other = store.states.dropFirst().sink { [weak store] state in
            if state == 31 { store?.post(.add(1)) }
            time.withLock { $0 += 100_000_000 }
        }
        store.post(.add(1))
        expectEqual(store.counters?.longestWait, .milliseconds(100))
        expectEqual(store.counters?.longestTurn, .milliseconds(132))
        StoreRegistry.shared.resetLongest()
        expectEqual(store.counters?.longestWait, .zero)
        sink.cancel()
        other.cancel()
    }

    @Test("A later effect counts as a separate turn")
    func laterEffect() {
        let time = Lock(0)
        var options = LoopOptions<Int, Event, Int>(name: "later")
        options.clock = { time.withLock { $0 } }
        let (store, effects) = (store(options), PassthroughSubject<Int, Never>())
        let sink = store.states.dropFirst().sink { _ in time.withLock { $0 += 40_000_000 } }
        store.post(.later(effects))
        effects.send(1)
        expectEqual(store.counters?.longestTurn, .milliseconds(40))
        // A short turn does not make the longest shorter.
        store.post(.later(effects))
        expectEqual(store.counters?.longestTurn, .milliseconds(40))
        sink.cancel()
    }

    @Test("The registry lists the stores with a name, by name, until their end")
    func registry() {
        let suffix = "\(UInt64.random(in: .min ... .max))"
        func mine() -> [StoreCounters] { StoreRegistry.shared.counters.filter { $0.name.hasSuffix(suffix) } }
        let (second, first) = (store(LoopOptions(name: "b \(suffix)")), store(LoopOptions(name: "a \(suffix)")))
        second.post(.add(1))
        expectEqual(mine().map(\.name), ["a \(suffix)", "b \(suffix)"])
        expectEqual(mine().map(\.events), [0, 1])
        first.cancel()
        expectEqual(mine().map(\.name), ["b \(suffix)"])
        // The store itself still has its counts.
        expectEqual(first.counters?.events, 0)
        second.cancel()
        expect(mine().isEmpty)
    }

    @Test("A cancelled store counts no effect as live, and keeps its number of events")
    func ended() {
        let (store, effects) = (store(LoopOptions(name: "ended")), PassthroughSubject<Int, Never>())
        store.post(.later(effects))
        store.cancel()
        expectEqual(store.counters?.liveEffects, 0)
        expectEqual(store.counters?.events, 1)
    }
}
