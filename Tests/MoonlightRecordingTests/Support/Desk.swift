import Moonlight
import MoonlightRecording
import MoonlightTesting
import Streams

/// A program with a bit of everything: calls that are awaited, streams, a plain function, timers, jobs, refusals, feedback.
struct Desk: Equatable, Sendable, Codable {
    enum Status: Equatable, Sendable, Codable { case idle, searching(String), failed(Reason) }

    var text = ""
    var status = Status.idle
    var found: [String]?
    var price = 0
    var reminders = 0
    var stamps: [Int] = []
    var notes: [String: Int] = [:]
    var user = User()
}

struct User: Equatable, Sendable, Codable {
    var token = ""
    var pin = 0
    var card: Card?
}

struct Card: Equatable, Sendable, Codable { var number = "", month = 1 }

enum Reason: Error, Equatable, Sendable, Codable { case offline, busy(Int) }

enum DeskEvent: Equatable, Sendable, Codable {
    case typed(String), search, stop, watch(String), unwatch, remind(Int), stamp, note(String, count: Int), logIn(
        String, pin: Int)
    case pay(String), priceIsHigh
}

enum DeskEffect: Equatable, Sendable, Codable {
    case text(String), searching(String), found([String]), failed(Reason), stopped, price(Int), reminded, stamped(Int)
    case noted(String, Int), loggedIn(String, Int), paid(String), cleared
}

struct DeskWorld: Sendable {
    var find: @Sendable (String) async throws(Reason) -> [String]
    var prices: @Sendable (String) -> AnyPublisher<Int, Never>
    var now: @Sendable () -> Int
    var scheduler: AnyScheduler<TimePoint, Never>
}

let find = Stub<String, [String], Reason>("find")
let prices = Stub<String, Int, Never>("prices")
let now = Stub<Void, Int, Never>("now")

func deskWorld(_ stubs: Stubs) -> DeskWorld {
    DeskWorld(
        find: stubs.async(find), prices: stubs.publisher(prices), now: stubs.function(now, returning: { -1 }),
        scheduler: stubs.scheduler.eraseToAnyScheduler())
}

/// - Parameter most: What a reminder adds, which another version of the program does otherwise.
func makeDesk(reminding most: Int = 1) -> Reducer<Desk, DeskEvent, DeskEffect, DeskWorld> {
    Reducer(
        transform: { state, event, world in
            switch event {
            case .typed(let text): return Just(.text(text)).eraseToAnyPublisher()
            case .search:
                guard !state.text.isEmpty else { throw Rejection("there is nothing to search for") }
                let text = state.text
                return AnyPublisher<DeskEffect, Never>.run { send in
                    send(.searching(text))
                    do throws(Reason) { send(.found(try await world.find(text))) } catch { send(.failed(error)) }
                }.job("search", .latest).eraseToAnyPublisher()
            case .stop: return AnyPublisher<DeskEffect, Never>.cancelJob("search").append(.stopped).eraseToAnyPublisher()
            case .watch(let name):
                return world.prices(name).map { DeskEffect.price($0) }.job("watch", .latest).eraseToAnyPublisher()
            case .unwatch: return AnyPublisher<DeskEffect, Never>.cancelJob("watch").eraseToAnyPublisher()
            case .remind(let seconds):
                return Just(DeskEffect.reminded).delay(for: .seconds(seconds), scheduler: world.scheduler).eraseToAnyPublisher()
            case .stamp: return Just(.stamped(world.now())).eraseToAnyPublisher()
            case .note(let name, let count):
                guard count >= 0 else { throw Rejection("a note counts from 0") }
                return Just(.noted(name, count)).eraseToAnyPublisher()
            case .logIn(let token, let pin): return Just(.loggedIn(token, pin)).eraseToAnyPublisher()
            case .pay(let number): return Just(.paid(number)).eraseToAnyPublisher()
            case .priceIsHigh: return Just(.cleared).eraseToAnyPublisher()
            }
        },
        apply: { (state: inout Desk, effect: DeskEffect) in
            switch effect {
            case .text(let text): state.text = text
            case .searching(let text): state.status = .searching(text)
            case .found(let found): (state.found, state.status) = (found, .idle)
            case .failed(let reason): state.status = .failed(reason)
            case .stopped: state.status = .idle
            case .price(let price): state.price = price
            case .reminded: state.reminders += most
            case .stamped(let time): state.stamps.append(time)
            case .noted(let name, let count): state.notes[name] = count == 0 ? nil : count
            case .loggedIn(let token, let pin): (state.user.token, state.user.pin) = (token, pin)
            case .paid(let number): state.user.card = Card(number: number, month: 7)
            case .cleared: state.price = 0
            }
        })
}

let desk = makeDesk()

/// A high price sends an event.
func deskFeedback(_ states: AnyPublisher<Desk, Never>, _ world: DeskWorld) -> [AnyPublisher<DeskEvent, Never>] {
    [states.map(\.price).removeDuplicates().filter { $0 > 100 }.map { _ in DeskEvent.priceIsHigh }.eraseToAnyPublisher()]
}

/// A store whose world the test plays, on one thread and in virtual time.
final class Stage: @unchecked Sendable {
    // Sound: a test uses it on one thread, on which its tasks run, too.
    typealias DeskRecording = Recording<Desk, DeskEvent, DeskEffect>

    let recording: DeskRecording
    let time = VirtualTimeScheduler()
    private let executor: ManualExecutor
    private var running: Store<Desk, DeskEvent>?
    var store: Store<Desk, DeskEvent> {
        guard let running else { preconditionFailure("the store begins at the end of init") }
        return running
    }
    var clock = 0
    private var searches: [(text: String, answer: CheckedContinuation<Result<[String], Reason>, Never>)] = []
    private var watches: [(name: String, subject: PassthroughSubject<Int, Never>)] = []

    init(
        _ desk: Reducer<Desk, DeskEvent, DeskEffect, DeskWorld> = desk, _ initial: Desk = Desk(),
        keeping: RecordingBound = .last(10_000), redacting redacted: [PartialKeyPath<Desk> & Sendable] = [],
        hasFeedback: Bool = false,
        inbox: InboxBound = .unbounded
    ) {
        recording = Recording(of: desk, keeping: keeping, redacting: redacted) { [time] in
            JournalRecord<Desk, DeskEvent, DeskEffect>.instant(at: time.now.offset.nanoseconds)
        }
        executor = ManualExecutor(time)
        let world = DeskWorld(
            find: recording.async(find) { [unowned self] (text: String) async throws(Reason) -> [String] in
                try await withCheckedContinuation { self.searches.append((text, $0)) }.get()
            },
            prices: recording.publisher(prices) { [unowned self] name in
                let subject = PassthroughSubject<Int, Never>()
                watches.append((name, subject))
                return subject.eraseToAnyPublisher()
            },
            now: recording.function(now) { [unowned self] in
                clock += 1
                return clock
            },
            scheduler: recording.scheduler(time).eraseToAnyScheduler())
        var options = LoopOptions(name: "desk", journal: recording, inbox: inbox)
        options.clock = { [time] in time.now.offset.nanoseconds }
        perform {
            running = Store(
                reducer: desk, initialState: initial, environment: world, options: options,
                feedback: { hasFeedback ? deskFeedback($0, world) : [Empty(completeImmediately: false).eraseToAnyPublisher()] })
        }
    }

    func perform(_ act: () -> Void) {
        TaskPlace.$executor.withValue(executor) {
            act()
            time.advance(by: 0)
        }
    }

    @discardableResult
    func send(_ events: DeskEvent...) -> Self {
        for event in events { perform { _ = store.send(event) } }
        return self
    }

    /// The searches that wait.
    var waiting: [String] { searches.map(\.text) }
    var watched: [String] { watches.map(\.name) }

    @discardableResult
    func answer(at place: Int = 0, _ result: Result<[String], Reason>) -> Self {
        let search = searches.remove(at: place)
        perform { search.answer.resume(returning: result) }
        return self
    }

    @discardableResult
    func price(_ price: Int, of place: Int = 0) -> Self {
        perform { watches[place].subject.send(price) }
        return self
    }

    @discardableResult
    func endPrices(of place: Int = 0) -> Self {
        let watch = watches.remove(at: place)
        perform { watch.subject.send(completion: .finished) }
        return self
    }

    @discardableResult
    func pass(_ duration: Duration) -> Self {
        perform { time.advance(by: duration) }
        return self
    }

    func end() {
        perform { store.cancel() }
        while !searches.isEmpty { answer(.failure(.offline)) }
    }

    deinit { if let store = running { TaskPlace.$executor.withValue(executor) { store.cancel() } } }
}

/// The same sequence of numbers for the same seed.
struct Dice: RandomNumberGenerator {
    var state: UInt64
    init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}

/// Plays a program at random: events, answers and time in any order.
func randomStage(seed: Int, steps: Int = 30, hasFeedback: Bool = false) -> Stage {
    let stage = Stage(hasFeedback: hasFeedback)
    var dice = Dice(seed)
    let words = ["mo", "moon", "light \"x\"", "ä\n", ""]
    for _ in 0..<steps {
        switch Int.random(in: 0..<14, using: &dice) {
        case 0: stage.send(.typed(words.randomElement(using: &dice) ?? ""))
        case 1, 2: stage.send(.search)
        case 3: stage.send(.stop)
        case 4: stage.send(.watch(words.randomElement(using: &dice) ?? ""))
        case 5: stage.send(.unwatch)
        case 6: stage.send(.remind(Int.random(in: 0...5, using: &dice)))
        case 7: stage.send(.stamp)
        case 8: stage.send(.note(words.randomElement(using: &dice) ?? "", count: Int.random(in: -1...3, using: &dice)))
        case 9, 10:
            guard !stage.waiting.isEmpty else { continue }
            let place = Int.random(in: stage.waiting.indices, using: &dice)
            let results: [Result<[String], Reason>] = [
                .success(["a", "b"]), .success([]), .failure(.offline), .failure(.busy(3)),
            ]
            stage.answer(at: place, results.randomElement(using: &dice) ?? .success([]))
        case 11:
            guard !stage.watched.isEmpty else { continue }
            let place = Int.random(in: stage.watched.indices, using: &dice)
            stage.price(Int.random(in: 0...(hasFeedback ? 150 : 9), using: &dice), of: place)
        case 12:
            guard !stage.watched.isEmpty else { continue }
            stage.endPrices(of: Int.random(in: stage.watched.indices, using: &dice))
        default: stage.pass(.milliseconds(Int.random(in: 1...4000, using: &dice)))
        }
    }
    return stage
}
