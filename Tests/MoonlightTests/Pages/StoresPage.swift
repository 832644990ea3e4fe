import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private struct Account: Equatable, Sendable {
    var balance = 0
    var name = "ann"
}

private enum Request: Sendable {
    case deposit(Int)
    case withdraw(Int)
    case rename(String)
}

@Suite("Page: Stores")
struct StoresPage {
    private static func open(
        _ confirm: @escaping @Sendable (Int) async -> Int = { $0 }
    ) -> Store<Account, Request> {
        let account = Reducer<Account, Request, Change, @Sendable (Int) async -> Int>(
            transform: { account, request, confirm in
                switch request {
                case .deposit(let amount):
                    return .run { send in send(.balance(await confirm(amount))) }
                case .withdraw(let amount) where amount > account.balance:
                    throw Rejection("\(account.name) has only \(account.balance)")
                case .withdraw(let amount):
                    return Just(.balance(-amount)).eraseToAnyPublisher()
                case .rename(let name):
                    return Just(.name(name)).eraseToAnyPublisher()
                }
            },
            apply: { account, change in
                switch change {
                case .balance(let amount): account.balance += amount
                case .name(let name): account.name = name
                }
            })

        let store = Store(reducer: account, initialState: Account(), environment: confirm)
        return store
    }

    private enum Change: Sendable {
        case balance(Int)
        case name(String)
    }

    @Test("A sender can limit the time that it waits")
    func within() async {
        let store = Self.open()
        let outcome = await store.send(.deposit(10), within: .seconds(2))
        #expect(outcome.word == "settled")
    }

    @Test("The outcome of an event determines the response to a request")
    func request() async {
        let store = Self.open()
        func handle(_ request: Request) async -> String {
            switch await store.send(request) {
            case .success: "balance \(store.state.balance)"
            case .failure(.rejected(let error)): "409 \(error)"
            case .failure(let error): "503 \(error)"
            }
        }
        #expect(await handle(.deposit(10)) == "balance 10")
        #expect(await handle(.withdraw(20)) == "409 ann has only 10")
        store.cancel()
        #expect(await handle(.deposit(1)) == "503 the loop has ended")
    }

    @Test("A sender can wait until its event is decided, or until it has settled")
    func stages() async throws {
        let isWaiting = Flag()
        let store = Self.open { amount in
            await isWaiting.wait()
            return amount
        }
        func bid(_ amount: Int) async -> Int {
            switch await store.send(.deposit(amount), until: .decided) {
            case .success: 202
            case .failure(.rejected): 409
            case .failure: 503
            }
        }
        // The payment is in flight.
        #expect(await bid(10) == 202)
        isWaiting.raise()
        #expect(await store.send(.deposit(10)).word == "settled")
        for await account in store.states.values where account.balance == 20 { break }
        let balance = try await store.send(.withdraw(4)) { $0.balance }
        #expect(balance == 16)
        store.cancel()
        #expect(await bid(10) == 503)
    }

    @Test("An observer of a property receives its changes")
    func looking() async {
        let store = Self.open()
        let names = Recorder<String>()
        let watching = store.values(of: \.name).sink { names.append($0) }
        store.post(.rename("bob"))
        store.post(.rename("bob"))
        #expect(store.state.name == "bob")
        #expect(names.all == ["ann", "bob"])
        watching.cancel()
    }

    @Test("A `for await` loop receives every state if it buffers them, and else the newest")
    func asynchronous() async throws {
        let store = Self.open()
        var newest = store.states.values.makeAsyncIterator()
        #expect(await newest.next()?.balance == 0)
        let balances = Recorder<Int>()
        let reading = Task {
            for await account in store.states.values(bufferingPolicy: .unbounded) { balances.append(account.balance) }
        }
        // The reader has subscribed.
        try await until { balances.count >= 1 }
        for amount in 1...100 { store.post(.withdraw(-amount)) }
        #expect(await newest.next()?.balance == 5050)
        store.cancel()
        await reading.value
        #expect(balances.count == 101)
        #expect(balances.last == 5050)
    }

    @Test("`finished()` returns when the store is cancelled")
    func end() async {
        let store = Self.open()
        let shutdown = Task { await store.finished() }
        store.cancel()
        await shutdown.value
        #expect(store.state == Account())
    }
}
