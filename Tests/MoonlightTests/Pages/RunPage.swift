import Moonlight
import Streams
import Testing

private struct Page: Sendable { var (title, next) = ("one", 2) }

private struct Web: Sendable { var load: @Sendable (Int) async throws -> Page }

private enum Event: Sendable {
    case open(Int)
    case close
}

private enum Effect: Sendable {
    case loading
    case shown(String)
    case failed(String)
}

@Suite("Page: Run")
struct RunPage {
    private static func makeStore(_ web: Web) -> Store<[String], Event> {
        Store(
            initialState: [], environment: web,
            transform: { (_, event: Event, web: Web) -> AnyPublisher<Effect, Never> in
                switch event {
                case .open(let number):
                    return .run { send in
                        send(.loading)
                        let first = try await web.load(number)
                        let second = try await web.load(first.next)
                        send(.shown("\(first.title) and \(second.title)"))
                    } catch: { error in
                        .failed("\(error)")
                    }.job("page").eraseToAnyPublisher()
                case .close:
                    return .cancelJob("page")
                }
            },
            apply: { (log: inout [String], effect: Effect) in log.append("\(effect)") })
    }

    private struct Offline: Error {}

    @Test("A chain of requests sends its effects in order, and its failure as the last")
    func chain() async {
        let store = Self.makeStore(
            Web(load: { number in
                if number > 2 { throw Offline() }
                return Page(title: "page \(number)", next: number + 1)
            }))
        await store.send(.open(1))
        #expect(store.state == ["loading", "shown(\"page 1 and page 2\")"])
        await store.send(.open(2))
        #expect(store.state.last == "failed(\"Offline()\")")
    }

    @Test("A typed error of a body is the failure of its stream")
    func typed() async {
        let words = AnyPublisher<String, Offline>.run { send throws(Offline) in
            send("begun")
            throw Offline()
        }
        let all = words.replaceError(with: "offline")
        var seen: [String] = []
        for await word in all.values { seen.append(word) }
        #expect(seen == ["begun", "offline"])
    }
}
