import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private struct Visits: Equatable, Sendable {
    var count = 0
    var last: String?

    enum Event: Sendable { case came(String) }
}

private let visits = Reducer<Visits, Visits.Event, String, Void>(
    transform: { _, event, _ in
        switch event {
        case .came(let guest): Just(guest).eraseToAnyPublisher()
        }
    },
    apply: { visits, guest in (visits.count, visits.last) = (visits.count + 1, guest) })

private actor Doorman {
    private var seen: [Int] = []
    private var subscriptions = Set<AnyCancellable>()

    func watch(_ store: Store<Visits, Visits.Event>) {
        store.values(of: \.count).sink { self.seen.append($0) }.store(in: &subscriptions)
    }
}

extension Doorman {
    fileprivate var counts: [Int] { seen }
}

@MainActor
private final class Ledger {
    private(set) var lines: [String] = []
    func write(_ line: String) { lines.append(line) }
}

private let lines = Reducer<Int, String, Int, Ledger>(
    transform: { _, line, ledger in
        .run { send in
            await ledger.write(line)
            send(1)
        }
    },
    apply: { count, new in count += new })

@MainActor
private func open(_ ledger: Ledger) -> Store<Int, String> {
    Store(reducer: lines, initialState: 0, environment: ledger)
}

/// The declarations of a module whose default isolation is the main actor. `.ci/fresh/mainactor` is such a module.
private enum MainActorModule {
    nonisolated struct Visits: Equatable { var count = 0 }
    nonisolated enum Visit { case entered }

    nonisolated static func isOpen(_ state: Visits) -> Bool { state.count < 100 }

    static let visits = Reducer<Visits, Visit, Int, Void> { state, event, _ in
        guard isOpen(state) else { throw Rejection("full") }
        return .just(1)
    } apply: { state, new in
        state.count += new
    }
}

@Suite("Page: Isolation")
struct IsolationPage {

    @Test("A reducer of nonisolated types and functions needs no main actor")
    func nonisolatedModel() {
        let store = Store(reducer: MainActorModule.visits, initialState: .init(count: 99), environment: ())
        for _ in 0..<2 { store.send(.entered) }
        #expect(store.state.count == 100)
    }

    @Test("An actor observes the states of a store in order")
    func actor() async throws {
        let (store, doorman) = (Store(reducer: visits, initialState: Visits(), environment: ()), Doorman())
        await doorman.watch(store)
        for guest in 1...3 { await store.send(.came("guest \(guest)")) }
        // These events are pending on the actor, in order.
        try await until { await doorman.counts.count >= 4 }
        #expect(await doorman.counts == [0, 1, 2, 3])
    }

    @MainActor @Test("An environment that is isolated to the main actor stays there")
    func mainActor() async {
        let ledger = Ledger()
        let store = open(ledger)
        await store.send("rent")
        #expect(ledger.lines == ["rent"])
        #expect(store.state == 1)
    }
}
