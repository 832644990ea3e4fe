import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private struct Session: Equatable, Sendable {
    var user: String?
    var answer = ""

    enum Event: Sendable {
        case logIn(String)
        case whoAmI
        case unknown(String)

        init(_ line: String) {
            switch line {
            case "who": self = .whoAmI
            case let line where line.hasPrefix("login "): self = .logIn(String(line.dropFirst(6)))
            default: self = .unknown(line)
            }
        }
    }

    enum Effect: Sendable {
        case loggedIn(String)
        case answered(String)
    }

    static let reducer = Reducer<Session, Event, Effect, Users>(
        transform: { session, event, users in
            switch event {
            case .logIn(let name):
                return .run { send in
                    if let user = await users.find(name) {
                        send(.loggedIn(user))
                    } else {
                        send(.answered("nobody is called \(name)"))
                    }
                }
            case .whoAmI:
                guard let user = session.user else { throw Rejection("log in first") }
                return Just(.answered(user)).eraseToAnyPublisher()
            case .unknown(let line): throw Rejection("what is \(line)?")
            }
        },
        apply: { (session: inout Session, effect: Effect) in
            switch effect {
            case .loggedIn(let user): (session.user, session.answer) = (user, "welcome, \(user)")
            case .answered(let text): session.answer = text
            }
        })
}

private struct Users: Sendable {
    var find: @Sendable (String) async -> String?
}

private func answer(_ line: String, of store: Store<Session, Session.Event>) async -> String {
    switch await store.send(Session.Event(line)) {
    case .success: "200 \(store.state.answer)"
    case .failure(.rejected(let error)): "400 \(error)"
    case .failure(.overflow): "429 slow down"
    case .failure(let error): error.isRetryable ? "503 try again" : "500 \(error)"
    }
}

private func serve(_ lines: some AsyncSequence<String, Never>, users: Users, write: (String) -> Void) async {
    let store = Store(
        reducer: Session.reducer,
        initialState: Session(),
        environment: users,
        options: LoopOptions(inbox: .suspend(16), stepLimit: 10_000))
    defer { store.cancel() }
    for await line in lines {
        write(await answer(line, of: store))
    }
}

extension Result<Void, SendError> {
    fileprivate var isTaken: Bool { if case .success = self { true } else { false } }
}

/// A connection of the test.
private struct Peer: Sendable {
    let lines: AsyncStream<String>
    let written = Recorder<String>()
    let write: @Sendable (String) -> Void
    let hangUp: @Sendable () -> Void

    init(_ sent: [String]) {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        for line in sent { continuation.yield(line) }
        self.lines = lines
        write = { [written] line in written.append(line) }
        hangUp = { continuation.finish() }
    }
}

@Suite("Page: Servers")
struct ServersPage {
    private let users = Users(find: { name in name == "ann" ? "Ann" : nil })

    @Test("A connection is served line by line until its peer closes it")
    func connection() async {
        let peer = Peer(["who", "login bob", "login ann", "who"])
        peer.hangUp()
        await serve(peer.lines, users: users, write: peer.write)
        #expect(peer.written.all == ["400 log in first", "200 nobody is called bob", "200 welcome, Ann", "200 Ann"])
    }

    @Test("Draining completes a payment in flight, and ends a stream that never ends by itself")
    func drain() async throws {
        enum Event: Sendable {
            case pay(PassthroughSubject<Int, Never>)
            case price(Int)
        }
        struct Account: Equatable { var (isOpen, paid) = (true, 0) }
        let (payment, prices, log) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>(), Recorder<String>())
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: Event, _) -> AnyPublisher<Int, Never> in
                    if case .pay(let payment) = event { AnyPublisher(payment) } else { .none }
                }, apply: { (account: inout Account, amount: Int) in account.paid += amount }),
            initialState: Account(), environment: (),
            feedback: { (states: AnyPublisher<Account, Never>) in
                [
                    states.react(when: { $0.isOpen }) { prices.map(Event.price).untilDraining() }
                ]
            })
        store.post(.pay(payment))
        let closing = Task {
            let left = await store.drain(within: .seconds(20))
            for work in left { log.append("cut off: \(work)") }
        }
        try await until { !store.post(.price(0)).isTaken }
        payment.send(300)
        payment.send(completion: .finished)
        await closing.value
        #expect(store.state.paid == 300)
        #expect(log.all == [])
    }

    @Test("A named store writes its log off the loop, and has counters")
    func operation() async throws {
        let (text, alerts) = (Recorder<String>(), Recorder<String>())
        let (log, alert) = ({ @Sendable (line: String) in text.append(line) }, { (line: String) in alerts.append(line) })
        let (start, number) = (ContinuousClock.now, 7)
        let writer = JournalWriter<Session, Session.Event, Session.Effect> { batch in log(batch.json(since: start)) }
        let options = LoopOptions(name: "session \(number)", journal: writer.take, inbox: .suspend(16))
        let store = Store(reducer: Session.reducer, initialState: Session(), environment: users, options: options)
        await store.send(.whoAmI)
        #expect(store.counters?.refusals == 1)
        for store in StoreRegistry.shared.counters where store.waiting > 100 {
            alert("\(store.name): \(store.waiting) events wait, the longest turn took \(store.longestTurn)")
        }
        store.cancel()
        writer.flush()
        #expect(alerts.all.filter { $0.hasPrefix("session 7") } == [])
        try await until { text.all.joined().contains("\"ended\"") }
        #expect(text.all.joined().contains("\"loop\":\"session 7\",\"step\":\"rejected\""))
    }

    @Test("Shutting down closes connections whose peers would keep them open")
    func shutdown() async {
        let (users, peers) = (users, [Peer(["login ann"]), Peer([])])
        let connections = Task {
            await withTaskGroup(of: Void.self) { group in
                for peer in peers {
                    group.addTask { await serve(peer.lines, users: users, write: peer.write) }
                }
            }
        }
        connections.cancel()
        await connections.value
        #expect(peers[1].written.all == [])
    }
}
