import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

private enum Work { @TaskLocal static var number = 0 }

/// Times, counts, limits and task-locals of a loop that has a gate.
@Suite("A loop behind a gate, with options")
struct GatedInstrumentsTests {
    private typealias Options = LoopOptions<Int, GatedEvent, Int>
    private typealias Record = JournalRecord<Int, GatedEvent, Int>

    /// In milliseconds.
    private let time = Counter()
    private let records = Recorder<Record>()

    /// Options with a clock that shows `time`.
    private func timed(_ options: Options) -> Options {
        var options = options
        options.clock = { [time] in (1 + time.value) * 1_000_000 }
        return options
    }

    /// A log that holds nothing back.
    private func openLog(leftOver: [GatedEvent]) -> FakeLog {
        let log = FakeLog(leftOver: leftOver)
        log.progress.release(through: 99)
        return log
    }

    @Test("to tell what was released is a turn of its own, which takes as long as the observers do")
    func longestTurn() async throws {
        let (log, time) = (FakeLog(), time)
        let store = gatedStore(log, timed(Options(name: "behind a gate")))
        let sink = store.states.dropFirst().sink { _ in time.add(40) }
        store.post(.add(1))
        time.add(5)
        log.progress.release(through: 1)
        try await until { store.state == 1 && store.isIdle }
        #expect(store.counters?.longestTurn == .milliseconds(40))
        sink.cancel()
    }

    @Test("an event that is not admitted is a turn, too")
    func turnAway() {
        let time = time
        let log = FakeLog { _ in
            time.add(7)
            return .refused(.overflow)
        }
        let store = gatedStore(log, timed(Options(name: "behind a gate that admits nothing")))
        store.post(.add(1))
        #expect(store.counters?.longestTurn == .milliseconds(7))
    }

    @Test("an event that was left over waits from when the loop is made")
    func waited() {
        let (time, records) = (time, records)
        let store = gatedStore(openLog(leftOver: [.add(1)]), timed(Options(journal: { records.append($0) }))) { _ in
            time.add(3)
            return []
        }
        #expect(records.all.first?.waited == .milliseconds(3))
        #expect(store.state == 1)
    }

    @Test("each event that was left over comes from outside")
    func steps() {
        let reports = Recorder<Runaway>()
        let log = openLog(leftOver: [.add(1), .add(2), .add(3)])
        let store = gatedStore(log, Options(stepLimit: 2, onRunaway: { reports.append($0) }))
        #expect(store.state == 6)
        #expect(reports.all == [])
    }

    @Test("with an event that was left over go the carried task-locals of who makes the loop")
    func carried() {
        let (stream, seen) = (PassthroughSubject<Int, Never>(), Recorder<Int>())
        let store = Work.$number.withValue(9) {
            gatedStore(openLog(leftOver: [.stream(stream)]), Options(carrying: [CarriedLocal(Work.$number)]))
        }
        let sink = store.states.dropFirst().sink { _ in seen.append(Work.number) }
        stream.send(1)
        #expect(seen.all == [9])
        sink.cancel()
    }

    @Test("a job that has to wait is started with the task-local that its log has given it")
    func waitingJob() {
        let (begun, seen, first) = (Counter(), Recorder<Int>(), PassthroughSubject<Int, Never>())
        let log = FakeLog(around: { subscribe in
            Work.$number.withValue(begun.add()) { subscribe(CarriedLocal(Work.$number)) }
        })
        let store = gatedStore(log)
        store.post(.queued { first.eraseToAnyPublisher() })
        store.post(
            .queued {
                Deferred { () -> Empty<Int, Never> in
                    seen.append(Work.number)
                    return Empty()
                }.eraseToAnyPublisher()
            })
        #expect(seen.all == [])
        first.send(completion: .finished)
        #expect(seen.all == [2])
    }
}
