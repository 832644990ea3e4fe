import Moonlight
import MoonlightRecording
import Streams

@testable import MoonlightInspector

/// What the tests record: a shop, with refusals, feedback and a job.
struct Shop: Equatable, Sendable, Codable {
    var customer = Customer()
    var basket: [String] = []
    var total = 0
    var stock = ["tea": 10, "milk": 4]
}

struct Customer: Equatable, Sendable, Codable {
    var name = "Ann"
    var visits = 0
}

enum ShopEvent: Equatable, Sendable, Codable {
    case order(String)
    case undo, greet, look
}

enum ShopEffect: Equatable, Sendable, Codable {
    case added(String)
    case removed
    case sold(String)
    case greeted, looked
}

let shop = Reducer<Shop, ShopEvent, ShopEffect, Void>(
    transform: { state, event, _ in
        switch event {
        case .order(let name):
            guard state.stock[name] != nil else { throw Rejection("there is no \(name)") }
            return [ShopEffect.added(name), .sold(name)].publisher.eraseToAnyPublisher()
        case .undo: return Just(.removed).eraseToAnyPublisher()
        case .greet: return Just(.greeted).job("greeting", .latest).eraseToAnyPublisher()
        case .look: return Just(.looked).eraseToAnyPublisher()
        }
    },
    apply: { (state: inout Shop, effect: ShopEffect) in
        switch effect {
        case .added(let name): (state.basket, state.total) = (state.basket + [name], state.total + 3)
        case .removed: if state.basket.popLast() != nil { state.total -= 3 }
        case .sold(let name): state.stock[name, default: 0] -= 1
        case .greeted: state.customer.visits += 1
        case .looked: break
        }
    })

/// Records a shop; each event comes a second after the one before. Every sixth unit of the total leads to a greeting.
final class ShopRecorder: Sendable {
    let recording: Recording<Shop, ShopEvent, ShopEffect>
    let store: Store<Shop, ShopEvent>
    private let time = Clock()

    /// Nanoseconds.
    private final class Clock: Sendable {
        private let time = Lock(0)
        var now: Int { time.withLock { $0 } }
        func advance() { time.withLock { $0 += 1_000_000_000 } }
    }

    init(keeping: RecordingBound = .last(10_000)) {
        let time = time
        recording = Recording(of: shop, keeping: keeping, redacting: [], encodesByItself: false) {
            JournalRecord<Shop, ShopEvent, ShopEffect>.instant(at: time.now)
        }
        var options = LoopOptions(name: "shop", journal: recording)
        options.clock = { time.now }
        store = Store(
            reducer: shop, initialState: Shop(), environment: (), options: options,
            feedback: { states in
                [
                    states.map { $0.total / 6 }.removeDuplicates().dropFirst().map { _ in ShopEvent.greet }.eraseToAnyPublisher(),
                    Empty(completeImmediately: false).eraseToAnyPublisher(),
                ]
            })
    }

    deinit { store.cancel() }

    @discardableResult
    func send(_ events: ShopEvent...) -> ShopRecorder {
        for event in events {
            time.advance()
            store.send(event)
        }
        return self
    }

    /// What was recorded so far.
    var steps: Steps { Steps(recording.reader) }
}

/// Two orders, a refusal, a look at nothing, and an order taken back.
func shortDay() -> ShopRecorder {
    ShopRecorder().send(.order("tea"), .order("milk"), .order("water"), .look, .undo)
}
