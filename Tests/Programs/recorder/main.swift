// Writes the recording of a small shop, for `.ci/drive-inspect` and for trying `moonlight inspect`:
//
//     RecorderProbe FILE COUNT     records COUNT orders, writes FILE, and ends
//     RecorderProbe FILE           follows in FILE: each line of the input is a product to order; "undo" takes the last order back
import Moonlight
import MoonlightRecording
import Streams

struct Item: Equatable, Sendable, Codable {
    var name = ""
    var price = 0
}

struct Shop: Equatable, Sendable, Codable {
    var customer = Customer()
    var basket: [Item] = []
    var total = 0
    var orders = 0
    var stock: [String: Int] = ["tea": 100, "milk": 40, "bread": 7]
}

struct Customer: Equatable, Sendable, Codable {
    var name = "Ann"
    var city = "Luna"
    var visits = 0
}

enum ShopEvent: Equatable, Sendable, Codable {
    case order(String)
    case undo, visit
}

enum ShopEffect: Equatable, Sendable, Codable {
    case added(Item)
    case removed, visited
    case sold(String)
}

let prices = ["tea": 3, "milk": 2, "bread": 4]

let shop = Reducer<Shop, ShopEvent, ShopEffect, Void>(
    transform: { state, event, _ in
        switch event {
        case .order(let name):
            guard let price = prices[name] else { throw Rejection("there is no \(name)") }
            return [ShopEffect.added(Item(name: name, price: price)), .sold(name)].publisher.eraseToAnyPublisher()
        case .undo: return Just(.removed).eraseToAnyPublisher()
        case .visit: return Just(.visited).eraseToAnyPublisher()
        }
    },
    apply: { (state: inout Shop, effect: ShopEffect) in
        switch effect {
        case .added(let item):
            state.basket.append(item)
            if state.basket.count > 5 { state.basket.removeFirst() }
            state.total += item.price
        case .removed: if let item = state.basket.popLast() { state.total -= item.price }
        case .visited: state.customer.visits += 1
        case .sold(let name):
            state.orders += 1
            state.stock[name, default: 0] -= 1
        }
    })

let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first else { preconditionFailure("usage: RecorderProbe FILE [COUNT]") }
let count = arguments.dropFirst().first.flatMap { Int($0) }
let recording = Recording(of: shop, keeping: .last(2_000_000, bytes: 1 << 30))
let store = Store(
    reducer: shop, initialState: Shop(), environment: (), options: LoopOptions(name: "shop", journal: recording),
    feedback: { states in
        [
            states.map { $0.orders / 10 }.removeDuplicates().dropFirst().map { _ in ShopEvent.visit }.eraseToAnyPublisher(),
            Empty(completeImmediately: false).eraseToAnyPublisher(),
        ]
    })

if let count {
    let names = ["tea", "milk", "bread", "tea", "water", "milk"]
    for number in 0..<count {
        store.send(number % 9 == 8 ? .undo : .order(names[number % names.count]))
        // No step is lost: what waits is encoded in time.
        if number % 1000 == 999 { recording.flush() }
    }
    try recording.write(to: path)
} else {
    try recording.follow(in: path)
    while let line = readLine() { store.send(line == "undo" ? .undo : .order(line)) }
    recording.flush()
}
store.cancel()
