import Moonlight
import Streams
import Testing

private enum Event: Sendable { case typed(String), save(Int), stop, wrong }

private struct Server: Sendable {
    let search: @Sendable (String) -> AnyPublisher<String, Never>
    let write: @Sendable (Int) -> AnyPublisher<String, Never>
}

@Suite("Page: Jobs")
struct JobsPage {
    private static func makeStore(
        _ server: Server, options: LoopOptions<[String], Event, String> = LoopOptions()
    ) -> Store<[String], Event> {
        Store(
            initialState: [], environment: server, options: options,
            transform: { (_, event: Event, server: Server) -> AnyPublisher<String, Never> in
                switch event {
                case .typed(let text): server.search(text).job("search", .latest).eraseToAnyPublisher()
                case .save(let number): server.write(number).job("write", .queue).eraseToAnyPublisher()
                case .stop: .cancelJob("search")
                case .wrong: Just("never").job("write", .merge).eraseToAnyPublisher()
                }
            },
            apply: { (log: inout [String], line: String) in log.append(line) })
    }

    @Test("the latest search wins, writes queue, and all of it can be seen")
    func policies() async {
        let gates = Lock<[String: PassthroughSubject<String, Never>]>([:])
        func gate(_ name: String) -> PassthroughSubject<String, Never> {
            gates.withLock { gates in
                let gate = gates[name] ?? PassthroughSubject()
                gates[name] = gate
                return gate
            }
        }
        for name in ["a", "ab", "1", "2"] { _ = gate(name) }
        let all = gates.withLock { UncheckedTransfer($0) }
        let store = Self.makeStore(
            Server(
                search: { all.value[$0]!.eraseToAnyPublisher() },
                write: { all.value["\($0)"]!.first().eraseToAnyPublisher() }))
        store.post(.typed("a"))
        store.post(.typed("ab"))
        gate("a").send("stale")
        gate("ab").send("found ab")
        store.post(.save(1))
        store.post(.save(2))
        let lines = store.jobs.map { job in
            "\(job.id) \(job.policy) for \(job.event): \(job.effectsSent) effects\(job.isWaiting ? ", waits" : "")"
        }
        #expect(
            lines == [
                "search latest for typed(\"ab\"): 1 effects",
                "write queue for save(1): 0 effects",
                "write queue for save(2): 0 effects, waits",
            ])
        gate("1").send("wrote 1")
        gate("2").send("wrote 2")
        store.post(.stop)
        gate("ab").send("too late")
        #expect(store.state == ["found ab", "wrote 1", "wrote 2"])
        #expect(store.jobs.isEmpty)
    }

    @Test("one id, one policy")
    func conflict() async {
        let endless = Empty<String, Never>(completeImmediately: false)
        let store = Self.makeStore(
            Server(search: { _ in endless.eraseToAnyPublisher() }, write: { _ in endless.eraseToAnyPublisher() }))
        store.post(.save(1))
        var answer = ""
        if case .failure(.rejected(let error)) = await store.send(.wrong) { answer = "\(error)" }
        #expect(answer == "job write is in flight as .queue and was asked to start as .merge: give each id one policy")
    }
}
