import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("`Store.jobs`: the jobs in flight")
struct JobListTests {
    @Test("The list has the id, event, cause and start of each job, oldest first")
    func list() {
        let (gate, before) = (PassthroughSubject<String, Never>(), ContinuousClock.now)
        let store = scriptStore(ScriptOptions(journal: { _ in }))
        store.send(.words(["a"]))
        store.send(.stream("first") { gate.job("one", .merge).eraseToAnyPublisher() })
        store.send(.stream("second") { gate.job(2, .queue).eraseToAnyPublisher() })
        store.send(.stream("third") { gate.job(2, .queue).eraseToAnyPublisher() })
        gate.send("b")
        let jobs = store.jobs
        expectEqual(jobs.map(\.id), [JobID("one"), JobID(2), JobID(2)])
        expectEqual(jobs.map(\.event), ["stream(first)", "stream(second)", "stream(third)"])
        expectEqual(jobs.map(\.cause), [3, 5, 7])
        expectEqual(jobs.map(\.isWaiting), [false, false, true])
        expect(jobs.allSatisfy { $0.since >= before && $0.since <= .now })
    }

    @Test("A queued job is listed with the time of its start, not of its arrival")
    func since() {
        let (gate, store) = (PassthroughSubject<String, Never>(), scriptStore())
        store.send(.stream("first") { gate.job("q", .queue).eraseToAnyPublisher() })
        store.send(
            .stream("second") {
                Empty<String, Never>(completeImmediately: false).job("q", .queue).eraseToAnyPublisher()
            })
        let queued = store.jobs[1].since
        gate.send(completion: .finished)
        expectEqual(store.jobs.map(\.isWaiting), [false])
        expect(store.jobs[0].since > queued)
    }

    @Test("Job ids are equal if their values and types are, and independent in two stores")
    func ids() {
        expectEqual(JobID(1), JobID(1))
        expect(JobID(1) != JobID("1"))
        let (one, other) = (scriptStore(), scriptStore())
        for store in [one, other] {
            store.send(.stream("job") { Empty(completeImmediately: false).job("job").eraseToAnyPublisher() })
        }
        one.cancelJob("job")
        expect(one.jobs.isEmpty)
        expectEqual(other.jobs.count, 1)
    }

    @Test("A job is cancelled by the id under which it is in flight")
    func listedID() {
        let store = scriptStore()
        store.send(.stream("job") { Empty(completeImmediately: false).job("job").eraseToAnyPublisher() })
        store.send(.stream("other") { Empty(completeImmediately: false).job("other").eraseToAnyPublisher() })
        for case .job(let id, _) in store.inFlight.map(\.kind) where "\(id)" == "job" { store.cancelJob(id) }
        expectEqual(store.jobs.map(\.id), [JobID("other")])
    }

    @Test("A queued job is removed when its own stream is cancelled, and the queue continues")
    func leavesQueue() {
        let (store, first, stop) = (
            scriptStore(), PassthroughSubject<String, Never>(), PassthroughSubject<Int, Never>()
        )
        store.send(.stream("first") { first.job("q", .queue).eraseToAnyPublisher() })
        store.send(.stream("second") { Just("2").job("q", .queue).prefix(untilOutputFrom: stop).eraseToAnyPublisher() })
        store.send(.stream("third") { Just("3").job("q", .queue).eraseToAnyPublisher() })
        stop.send(1)
        expectEqual(store.jobs.map(\.event), ["stream(first)", "stream(third)"])
        first.send(completion: .finished)
        expectEqual(store.state, ["3"])
        expect(store.jobs.isEmpty)
    }

    @Test("The journal records each step of a job: started, replaced, refused, finished, ignored, cancelled")
    func journal() {
        let lines = Recorder<String>()
        var gate = PassthroughSubject<String, Never>()
        let store = scriptStore(
            ScriptOptions(journal: { record in if case .job = record.step { lines.append("\(record)") } }))
        func send(_ policy: JobPolicy) {
            store.send(.stream("\(policy)") { [gate] in gate.job("id", policy).eraseToAnyPublisher() })
        }
        send(.latest)
        send(.latest)
        send(.queue)
        gate.send(completion: .finished)
        gate = PassthroughSubject()
        send(.ignoreNew)
        send(.ignoreNew)
        store.cancelJob("id")
        expectEqual(
            lines.all,
            [
                "2 <- 1  job id started", "4 <- 1  job id replaced", "5 <- 3  job id started",
                "7 <- 6  job id refused: job id is in flight as .latest, but was requested as .queue: "
                    + "give each id one policy",
                "8 <- 3  job id finished", "10 <- 9  job id started", "12 <- 11  job id ignored",
                "13 <- 9  job id cancelled",
            ])
    }

    @Test("A job with a synchronous effect is in flight while a downstream operator handles the effect")
    func ready() {
        let (store, seen) = (scriptStore(), Recorder<[JobID]>())
        store.send(
            .stream("job") {
                Just("a").job("one").handleEvents(receiveOutput: { _ in seen.append(store.jobs.map(\.id)) }).eraseToAnyPublisher()
            })
        expectEqual(seen.all, [[JobID("one")]])
        expectEqual(store.state, ["a"])
        expect(store.jobs.isEmpty)
    }

    @Test("A job that the journal cancels at the record of its start is never subscribed to")
    func cancelledByJournal() {
        let steps = Recorder<String>()
        let place = Lock<ScriptStore?>(nil)
        let store = scriptStore(
            ScriptOptions(journal: { record in
                guard case .job(let job) = record.step else { return }
                steps.append("\(job.step)")
                if job.step == .started { place.withLock { $0 }?.cancelJob("job") }
            }))
        place.withLock { $0 = store }
        store.send(
            .stream("job") {
                Deferred { () -> Empty<String, Never> in
                    steps.append("subscribed")
                    return Empty(completeImmediately: false)
                }.job("job").eraseToAnyPublisher()
            })
        expectEqual(steps.all, ["started", "cancelled"])
        expect(store.isQuiet)
        discard(place.withLock { $0.take() })
    }

    @Test("A queued job that is cancelled when it is next, but before it has started, is never subscribed to")
    func cancelledInTurn() {
        let (store, p, q) = (scriptStore(), PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
        let subscriptions = Recorder<String>()
        func queued(_ name: String, _ id: String, _ begin: @escaping @Sendable () -> Void) -> Words {
            Deferred { () -> Empty<String, Never> in
                subscriptions.append(name)
                begin()
                return Empty()
            }.job(id, .queue).eraseToAnyPublisher()
        }
        // The second job of `p` is being started when the second of `q` is due, which therefore waits.
        let streams = [
            p.job("p", .queue).eraseToAnyPublisher(),
            q.job("q", .queue).eraseToAnyPublisher(),
            queued("second of p", "p") {
                q.send(completion: .finished)
                store.cancelJob("q")
            },
            queued("second of q", "q") {},
            Deferred { () -> Empty<String, Never> in
                p.send(completion: .finished)
                return Empty()
            }.eraseToAnyPublisher(),
        ]
        let all = UncheckedTransfer(streams)
        store.send(.stream("all") { Publishers.MergeMany(all.value).eraseToAnyPublisher() })
        expectEqual(subscriptions.all, ["second of p"])
        expect(store.jobs.isEmpty)
    }

    /// An id whose first comparison runs a closure.
    private struct Comparing: Hashable, Sendable {
        let name: String
        let onComparison = Keeper()
        init(_ name: String) { self.name = name }
        static func == (a: Self, b: Self) -> Bool {
            for id in [a, b] { id.onComparison.drop() }
            return a.name == b.name
        }
        func hash(into hasher: inout Hasher) { hasher.combine(0) }
    }

    @Test("A job replaces one with the same id that starts while ids are compared")
    func comesMeanwhile() {
        let (store, more, id) = (scriptStore(), PassthroughSubject<Void, Never>(), Comparing("b"))
        let never = Empty<String, Never>(completeImmediately: false)
        store.send(.stream("a") { never.job(Comparing("a")).eraseToAnyPublisher() })
        store.send(.stream("more") { more.flatMap { never.job(Comparing("b")) }.eraseToAnyPublisher() })
        id.onComparison.keep(AnyCancellable { more.send() })
        store.send(.stream("b") { never.job(id).eraseToAnyPublisher() })
        expectEqual(store.jobs.map(\.event), ["stream(a)", "stream(b)"])
    }
}
