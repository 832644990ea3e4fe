import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private struct Document: Equatable, Sendable {
    var text = ""
    var misspelt: [String] = []
    var isWatching = false
    var address: String?
    var problem: String?
}

private enum Event: Sendable {
    case clear
    case open(String)
    case publish
    case typed(String)
    case watch(Bool)
    case changed(String)
}

private enum Effect: Sendable {
    case cleared
    case opened(String)
    case publishing
    case published(String)
    case typed(String)
    case checked([String])
    case watching(Bool)
    case failed(String)
}

private struct Missing: Error {}

private struct Disk: Sendable {
    var read: @Sendable (String) -> AnyPublisher<String, Missing>
    var upload: @Sendable (String) async throws -> Int
    var publish: @Sendable (Int) async throws -> String
    var misspelt: @Sendable (String) -> AnyPublisher<[String], Never>
    var changes: @Sendable () -> AnyPublisher<String, Never>
}

@Suite("Page: Effects")
struct KindsOfEffectsPage {
    private static func makeStore(_ disk: Disk) -> Store<Document, Event> {
        Store(
            reducer: Reducer(
                transform: { (document, event: Event, disk: Disk) -> AnyPublisher<Effect, Never> in
                    switch event {
                    case .clear: return .just(.cleared)
                    case .open(let name): return disk.read(name).effects(Effect.opened) { _ in .failed("cannot read \(name)") }
                    case .publish:
                        return .run { send in
                            send(.publishing)
                            let draft = try await disk.upload(document.text)
                            let address = try await disk.publish(draft)
                            send(.published(address))
                        } catch: { error in
                            .failed("\(error)")
                        }
                    case .typed(let text):
                        return disk.misspelt(text).effects(Effect.checked).prepend(.typed(text)).job("spelling", .latest)
                    case .watch(let isOn): return .just(.watching(isOn))
                    case .changed(let text): return .just(.opened(text))
                    }
                },
                apply: { (document: inout Document, effect: Effect) in
                    switch effect {
                    case .cleared: document = Document()
                    case .opened(let text), .typed(let text): document.text = text
                    case .publishing: document.address = nil
                    case .published(let address): document.address = address
                    case .checked(let words): document.misspelt = words
                    case .watching(let isOn): document.isWatching = isOn
                    case .failed(let problem): document.problem = problem
                    }
                }),
            initialState: Document(),
            environment: disk,
            feedback: { documents in
                [documents.react(when: \.isWatching) { disk.changes().map { .changed($0) } }]
            })
    }

    @Test("Each kind of effect changes the state of a document")
    func kinds() async {
        let (changes, checks) = (PassthroughSubject<String, Never>(), PassthroughSubject<[String], Never>())
        let watchers = Counter()
        let store = Self.makeStore(
            Disk(
                read: { name in
                    name == "notes"
                        ? Just("read").setFailureType(to: Missing.self).eraseToAnyPublisher()
                        : Fail(error: Missing()).eraseToAnyPublisher()
                },
                upload: { text in text.count },
                publish: { draft in "example.com/\(draft)" },
                misspelt: { _ in checks.eraseToAnyPublisher() },
                changes: {
                    changes.handleEvents(
                        receiveSubscription: { _ in watchers.add() }, receiveCancel: { watchers.add(-1) }
                    ).eraseToAnyPublisher()
                }))
        store.post(.open("notes"))
        #expect(store.state.text == "read")
        store.post(.open("nothing"))
        #expect(store.state.problem == "cannot read nothing")
        await store.send(.publish)
        #expect(store.state.address == "example.com/4")
        store.post(.typed("teh"))
        store.post(.typed("the"))
        #expect(store.jobs.map { "\($0.id)" } == ["spelling"])
        checks.send([])
        #expect(store.state.text == "the")
        store.post(.watch(true))
        #expect(watchers.value == 1)
        changes.send("changed")
        #expect(store.state.text == "changed")
        store.post(.watch(false))
        #expect(watchers.value == 0)
        store.post(.clear)
        #expect(store.state == Document())
    }
}
