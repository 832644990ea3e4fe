import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

/// The durations in records, with a clock that only the program below advances.
@Suite("Times of journal records")
struct JournalTimesTests {
    private struct Refused: Error {}

    private enum Event: Sendable {
        /// `transform` takes this number of milliseconds, and each `apply` this number.
        case effects(Int, [Int])
        /// `transform` takes this number of milliseconds, and throws.
        case refused(Int)
        /// The test sends the effect.
        case later(Int)
        /// `apply` takes this number of milliseconds, and throws.
        case refusedEffect(Int)
    }

    private final class Clock: Sendable {
        let time = Lock(0)
        func advance(_ milliseconds: Int) { time.withLock { $0 += milliseconds * 1_000_000 } }
    }

    private typealias Record = JournalRecord<Int, Event, Int>

    private let clock = Clock()
    private let records = Recorder<Record>()
    private let later = PassthroughSubject<Int, Never>()
    private let store: Store<Int, Event>

    init() {
        var options = LoopOptions<Int, Event, Int>(name: "shop", journal: { [records] in records.append($0) })
        options.clock = { [clock] in clock.time.withLock { $0 } }
        let reducer = Reducer<Int, Event, Int, PassthroughSubject<Int, Never>>(
            transform: { [clock] (_, event, later) -> AnyPublisher<Int, Never> in
                switch event {
                case .effects(let time, let effects):
                    clock.advance(time)
                    return effects.publisher.eraseToAnyPublisher()
                case .refused(let time):
                    clock.advance(time)
                    throw Refused()
                case .later(let time):
                    clock.advance(time)
                    return later.eraseToAnyPublisher()
                case .refusedEffect(let time): return .just(-time)
                }
            },
            apply: { [clock] (state: inout Int, effect: Int) in
                clock.advance(abs(effect))
                if effect < 0 { throw Refused() }
                state += 1
            })
        store = Store(reducer: reducer, initialState: 0, environment: later, options: options)
    }

    private var times: [[Duration?]] { records.all.map { [$0.waited, $0.transformTime, $0.applyTime] } }

    @Test("The record of a synchronous effect has the times of `transform` and of its own `apply`")
    func ready() {
        store.post(.effects(7, [2, 3]))
        expectEqual(
            times,
            [
                [.zero, nil, nil], [nil, .milliseconds(7), .milliseconds(2)], [nil, .milliseconds(7), .milliseconds(3)],
            ])
    }

    @Test("The record of a later effect has the time that `transform` took for its event")
    func laterEffect() {
        store.post(.later(5))
        store.post(.effects(11, [1]))
        clock.advance(1000)
        later.send(4)
        expectEqual(times.last, [nil, .milliseconds(5), .milliseconds(4)])
    }

    @Test("The time between an event and its later effect counts neither as `transform` nor as `apply`")
    func timeBetween() {
        store.post(.later(5))
        clock.advance(1000)
        later.send(4)
        expectEqual(times, [[.zero, nil, nil], [nil, .milliseconds(5), .milliseconds(4)]])
    }

    @Test("The records of a job that is cancelled from outside, and of the end, have times of their own")
    func ownTimes() {
        let (records, clock, later) = (Recorder<Record>(), clock, later)
        var options = LoopOptions<Int, Event, Int>(journal: { records.append($0) })
        options.clock = { clock.time.withLock { $0 } }
        let store = Store<Int, Event>(
            reducer: Reducer(transform: { _, _, _ in AnyPublisher(later.job("job")) }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: options)
        store.post(.later(0))
        clock.advance(3)
        store.cancelJob("job")
        clock.advance(4)
        store.cancel()
        let times = records.all.map(\.time)
        expectEqual(times.map { times[0].duration(to: $0) }, [.zero, .zero, .milliseconds(3), .milliseconds(7)])
    }

    @Test("An event that the effect limit delays counts as waiting until it is handled")
    func heldBack() {
        let (records, clock, later) = (Recorder<Record>(), clock, later)
        var options = LoopOptions<Int, Event, Int>(name: "held back", journal: { records.append($0) }, effectLimit: 1)
        options.clock = { clock.time.withLock { $0 } }
        let store = Store<Int, Event>(
            reducer: Reducer(
                transform: { _, event, _ in if case .later = event { AnyPublisher(later) } else { .none } }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: options)
        store.post(.later(0))
        clock.advance(3)
        store.post(.effects(0, []))
        expectEqual(store.counters?.waiting, 1)
        clock.advance(40)
        later.send(completion: .finished)
        settle()
        expectEqual(records.all.map(\.waited), [.zero, .milliseconds(40)])
        expectEqual(store.counters?.waiting, 0)
    }

    @Test("The record of a rejected event has the time of `transform`, and that of a rejected effect the time of `apply`")
    func refused() {
        store.post(.refused(9))
        store.post(.refusedEffect(6))
        expectEqual(
            times, [[.zero, nil, nil], [nil, .milliseconds(9), nil], [.zero, nil, nil], [nil, .zero, .milliseconds(6)]])
    }

    @Test("The record of an event has the time that it waited, including that of observers and other effects")
    func waited() {
        let (store, clock) = (store, clock)
        let sink = store.states.sink { state in
            if state != 1 { return }
            store.post(.effects(1, []))
            clock.advance(150)
        }
        store.post(.effects(2, [3, 4]))
        // The second effect came after the observer had received the first.
        expectEqual(
            times,
            [
                [.zero, nil, nil], [nil, .milliseconds(2), .milliseconds(3)], [nil, .milliseconds(2), .milliseconds(4)],
                [.milliseconds(154), nil, nil],
            ])
        sink.cancel()
    }

    @Test("An event that an idle loop with a bounded inbox handles has waited zero, however fast the clock runs")
    func idleInbox() {
        let (records, clock) = (Recorder<Record>(), clock)
        var options = LoopOptions<Int, Event, Int>(journal: { records.append($0) }, inbox: .reject(2))
        options.clock = {
            clock.advance(1)
            return clock.time.withLock { $0 }
        }
        let store = Store(
            reducer: Reducer<Int, Event, Int, Void>(
                transform: { _, _, _ in .none }, apply: { (state: inout Int, effect: Int) in state += effect }),
            initialState: 0, environment: (), options: options)
        store.post(.effects(0, []))
        store.post(.effects(0, []))
        expectEqual(records.all.map(\.waited), [.zero, .zero])
    }

    @Test("A line has the wall clock, the loop's name, the record, and each time of a millisecond or more")
    func line() {
        clock.advance(1)
        store.post(.effects(0, [12, 1]))
        let lines = records.all.map(\.line)
        expectEqual(lines[0], "\(records.all[0].wallTime) shop  1  event effects(0, [12, 1])")
        expectEqual(lines[1], "\(records.all[1].wallTime) shop  2 <- 1  effect 12: 0 -> 1 (apply 12 ms)")
        expectEqual(lines[2], "\(records.all[2].wallTime) shop  3 <- 1  effect 1: 1 -> 2 (apply 1 ms)")
    }

    @Test("A JSON record has the wall clock, the name, and each known time in milliseconds")
    func json() {
        store.post(.effects(2, [3]))
        let all = records.all
        expectEqual(
            all[0].json(since: all[0].time),
            "{\"n\":1,\"ms\":0.0,\"at\":\"\(all[0].wallTime)\",\"loop\":\"shop\",\"step\":\"event\",\"event\":\"effects(2, [3])\",\"waited\":0.0}"
        )
        expect(all[1].json(since: all[0].time).hasSuffix(",\"transform\":2.0,\"apply\":3.0}"))
    }

    @Test("The wall clock of a record is that of its time, and does not change later")
    func wallClock() {
        store.post(.effects(0, []))
        let before = records.all[0].wallTime
        clock.advance(60_000)
        store.post(.effects(0, []))
        expectEqual(records.all[0].wallTime, before)
        expectEqual(records.all[1].wallTime.sinceEpoch - before.sinceEpoch, .seconds(60))
        // The clock of this test began with the journal's, so this time is near the start of the process.
        expect(before < WallTime.now)
        expect(WallTime.now.sinceEpoch - before.sinceEpoch < .seconds(24 * 3600))
    }

    @Test(
        "A point in time is written as a date and time of the calendar",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (1_795_441_021_224, "2026-11-23T13:37:01.224Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
        ])
    func calendar(milliseconds: Int, text: String) {
        expectEqual(WallTime(sinceEpoch: .milliseconds(milliseconds)).description, text)
        expectEqual(WallTime(sinceEpoch: .milliseconds(milliseconds) + .nanoseconds(1)).description, text)
    }
}
