import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight
@testable import MoonlightDurability

private enum Work {
    @TaskLocal static var number = 0
    @TaskLocal static var other = 0
}

/// Times, counts, limits and task-locals of a loop with a gate.
@Suite("A loop with an output gate and options")
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

    /// A log that delays nothing.
    private func openLog(leftOver: [GatedEvent]) -> FakeLog {
        let log = FakeLog(leftOver: leftOver)
        log.progress.release(through: 99)
        return log
    }

    @Test("A release counts as a separate turn, which takes as long as its observers do")
    func longestTurn() async throws {
        let (log, time) = (FakeLog(), time)
        let store = gatedStore(log, timed(Options(name: "behind a gate")))
        let sink = store.states.dropFirst().sink { _ in time.add(40) }
        store.post(.add(1))
        time.add(5)
        log.progress.release(through: 1)
        try await until { store.state == 1 && store.isIdle }
        expectEqual(store.counters?.longestTurn, .milliseconds(40))
        sink.cancel()
    }

    @Test("An event that is not admitted counts as a turn")
    func turnAway() {
        let time = time
        let log = FakeLog { _ in
            time.add(7)
            return .refused(.overflow)
        }
        let store = gatedStore(log, timed(Options(name: "behind a gate that admits nothing")))
        store.post(.add(1))
        expectEqual(store.counters?.longestTurn, .milliseconds(7))
    }

    @Test("The waiting time of a left-over event begins when the loop is created")
    func waited() {
        let (time, records) = (time, records)
        let store = gatedStore(openLog(leftOver: [.add(1)]), timed(Options(journal: { records.append($0) }))) { _ in
            time.add(3)
            return []
        }
        expectEqual(records.all.first?.waited, .milliseconds(3))
        expectEqual(store.state, 1)
    }

    @Test("Each left-over event counts as an event from outside")
    func steps() {
        let reports = Recorder<RunawayReport>()
        let log = openLog(leftOver: [.add(1), .add(2), .add(3)])
        let store = gatedStore(log, Options(stepLimit: 2, onRunaway: { reports.append($0) }))
        expectEqual(store.state, 6)
        expectEqual(reports.all, [])
    }

    @Test("A left-over event has the carried task-locals of the task that creates the loop")
    func carried() {
        let (stream, seen) = (PassthroughSubject<Int, Never>(), Recorder<Int>())
        let store = Work.$number.withValue(9) {
            gatedStore(
                openLog(leftOver: [.stream(stream.eraseToAnyPublisher())]), Options(taskLocals: [CarriedLocal(Work.$number)]))
        }
        let sink = store.states.dropFirst().sink { _ in seen.append(Work.number) }
        stream.send(1)
        expectEqual(seen.all, [9])
        sink.cancel()
    }

    @Test(
        "A stream that was held sees the task-locals of the sender, and the one that its log provides", arguments: [false, true])
    func heldStream(isNamed: Bool) async throws {
        let (log, seen) = (FakeLog(around: { isNamed ? $0(CarriedLocal(Work.$other)) : $0(nil) }), Recorder<Int>())
        let store = gatedStore(log, Options(taskLocals: [CarriedLocal(Work.$number)]))
        Work.$number.withValue(9) { _ = store.post(.add(1)) }
        Work.$number.withValue(8) {
            _ = store.post(
                .queued {
                    AnyPublisher.run { send in
                        seen.append(Work.number)
                        await Task.yield()
                        seen.append(Work.number)
                    }
                })
        }
        expectEqual(seen.all, [])
        log.progress.release(through: 10)
        try await until { store.isQuiet }
        expectEqual(seen.all, [8, 8])
    }

    @Test("A queued job is started with the task-local that its log has provided")
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
        expectEqual(seen.all, [])
        first.send(completion: .finished)
        expectEqual(seen.all, [2])
    }
}
