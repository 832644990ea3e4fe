import Dispatch
import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private struct Lantern: Equatable, Sendable {
    var isOn = false
    var brightness = 5

    enum Event: Sendable {
        case toggle, brighter, darker

        init?(_ key: String) {
            switch key {
            case " ": self = .toggle
            case "+": self = .brighter
            case "-": self = .darker
            default: return nil
            }
        }
    }

    enum Effect: Sendable {
        case toggled
        case brightness(Int)
    }

    static let reducer = Reducer<Lantern, Event, Effect, Void>(
        transform: { lantern, event, _ in
            switch event {
            case .toggle: Just(.toggled).eraseToAnyPublisher()
            case .brighter: Just(.brightness(min(lantern.brightness + 1, 9))).eraseToAnyPublisher()
            case .darker: Just(.brightness(max(lantern.brightness - 1, 1))).eraseToAnyPublisher()
            }
        },
        apply: { (lantern: inout Lantern, effect: Effect) in
            switch effect {
            case .toggled: lantern.isOn.toggle()
            case .brightness(let brightness): lantern.brightness = brightness
            }
        })
}

private func screen(of lantern: Lantern) -> [String] {
    let bar = String(repeating: "#", count: lantern.brightness)
    return [lantern.isOn ? "on  \(bar)" : "off", "", "space switch   + - brightness   q quit"]
}

private struct FakeTerminal: Sendable {
    let frames = Recorder<String>()
    let departures = Counter()
    func draw(_ rows: [String]) { frames.append(rows[0]) }
    func print(_ line: String) { frames.append(line) }
    func leave() { departures.add() }
}

/// The input of a user, in place of the standard library's function.
private let keyboard = Keyboard()
private func readLine() -> String? { keyboard.next() }

private final class Keyboard: Sendable {
    private let lines = Lock<[String]>([])
    private let pressed = DispatchSemaphore(value: 0)

    func type(_ line: String) {
        lines.withLock { $0.append(line) }
        pressed.signal()
    }

    /// Blocks the thread until a line is typed. An empty line is the end.
    func next() -> String? {
        pressed.wait()
        let line = lines.withLock { $0.removeFirst() }
        return line.isEmpty ? nil : line
    }
}

private struct Lines: AsyncSequence, AsyncIteratorProtocol {
    private static let reading = DispatchQueue(label: "lines")

    func makeAsyncIterator() -> Lines { self }

    func next() async -> String? {
        await withCheckedContinuation { line in
            Self.reading.async { line.resume(returning: readLine()) }
        }
    }
}

@Suite("Page: Terminals")
struct TerminalsPage {
    @Test("A screen is a function of the state")
    func function() {
        #expect(screen(of: Lantern())[0] == "off")
    }

    @Test("Keys change the frames of a panel, and \"q\" ends it")
    func panel() {
        let (terminal, time) = (FakeTerminal(), VirtualTimeScheduler())
        let keys = PassthroughSubject<String, Never>()
        var subscriptions = Set<AnyCancellable>()
        let store = Store(
            reducer: Lantern.reducer,
            initialState: Lantern(),
            environment: (),
            feedback: { lanterns in
                lanterns.throttle(for: .milliseconds(33), scheduler: time, latest: true)
                    .sink(
                        receiveCompletion: { _ in terminal.leave() },
                        receiveValue: { terminal.draw(screen(of: $0)) }
                    )
                    .store(in: &subscriptions)
                return [keys.prefix(while: { $0 != "q" }).compactMap(Lantern.Event.init).eraseToAnyPublisher()]
            })
        time.advance(by: .milliseconds(33))
        for key in [" ", "+", "x", "+"] { keys.send(key) }
        time.advance(by: .milliseconds(33))
        #expect(terminal.frames.last == "on  #######")
        #expect(terminal.departures.value == 0)
        keys.send("-")
        keys.send("q")
        time.run()
        #expect(terminal.frames.last == "on  ######")
        #expect(terminal.departures.value == 1)
        store.cancel()
    }

    @Test("The same loop in a pipe reads lines and prints its states")
    func pipeFace() {
        let terminal = FakeTerminal()
        let input = PassthroughSubject<String, Never>()
        var subscriptions = Set<AnyCancellable>()
        func pipe(_ lanterns: AnyPublisher<Lantern, Never>) -> AnyPublisher<Lantern.Event, Never> {
            lanterns.map { screen(of: $0)[0] }.removeDuplicates().sink { terminal.print($0) }.store(in: &subscriptions)
            return input.compactMap(Lantern.Event.init).eraseToAnyPublisher()
        }
        let store = Store(reducer: Lantern.reducer, initialState: Lantern(), environment: (), feedback: { [pipe($0)] })
        for line in [" ", "-", "?", " "] { input.send(line) }
        #expect(terminal.frames.all == ["off", "on  #####", "on  ####", "off"])
        store.cancel()
    }

    @MainActor
    @Test("An event from another thread is handled on the main actor while a line is awaited")
    func lines() async throws {
        let terminal = FakeTerminal()
        let store = Store(reducer: Lantern.reducer, initialState: Lantern(), environment: ())
        // The user types the end after the answer of another has appeared.
        let user = Task.detached {
            keyboard.type(" ")
            try await until { terminal.frames.last == "on  #####" }
            await store.send(.brighter)
            try await until { terminal.frames.last == "on  ######" }
            keyboard.type("")
        }
        let picture = store.states.sink { terminal.print(screen(of: $0)[0]) }
        for await line in Lines() {
            if let event = Lantern.Event(line) { store.post(event) }
        }
        try await user.value
        #expect(terminal.frames.all == ["off", "on  #####", "on  ######"])
        picture.cancel()
    }
}
