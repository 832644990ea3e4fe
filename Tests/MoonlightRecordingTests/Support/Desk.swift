import Moonlight
import MoonlightTesting
import Streams

/// A program with all features: calls that are awaited, streams, a plain function, timers, jobs, rejections, feedback.
struct Desk: Equatable, Sendable, Codable {
    enum Status: Equatable, Sendable, Codable {
        case idle
        case searching(String)
        case failed(Reason)
    }

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

struct Card: Equatable, Sendable, Codable {
    var number = ""
    var month = 1
}

enum Reason: Error, Equatable, Sendable, Codable {
    case offline
    case busy(Int)
}

enum DeskEvent: Equatable, Sendable, Codable {
    case typed(String)
    case search, stop
    case watch(String)
    case unwatch
    case remind(Int)
    case stamp
    case note(String, count: Int)
    case logIn(
        String, pin: Int)
    case pay(String)
    case priceIsHigh
}

enum DeskEffect: Equatable, Sendable, Codable {
    case text(String)
    case searching(String)
    case found([String])
    case failed(Reason)
    case stopped
    case price(Int)
    case reminded
    case stamped(Int)
    case noted(String, Int)
    case loggedIn(String, Int)
    case paid(String)
    case cleared
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

/// - Parameter most: The number that a reminder adds, which differs in another version of the program.
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

/// Sends an event at a high price.
func deskFeedback(_ states: AnyPublisher<Desk, Never>, _ world: DeskWorld) -> [AnyPublisher<DeskEvent, Never>] {
    [states.map(\.price).removeDuplicates().filter { $0 > 100 }.map { _ in DeskEvent.priceIsHigh }.eraseToAnyPublisher()]
}
