import Foundation
import MoonPresentation
import Moonlight
import MoonlightDurability
import MoonlightTesting
import Streams

// A module whose declarations are the main actor's by default, as those of a new Xcode project are. What `transform` and `apply` use
// is `nonisolated`, because they run on any thread: the state's type, for its `==`, and functions. The rest needs nothing.

nonisolated struct Till: Equatable, Codable {
    var total = 0
    var receipts: [String] = []
}

nonisolated enum TillEvent: Codable {
    case add(Int)
    case print(String)
}

nonisolated enum TillEffect: Codable {
    case added(Int)
    case printed(String)
}

struct Printer: Sendable {
    var print: @Sendable (Int) async throws -> String
}

let till = Reducer<Till, TillEvent, TillEffect, Printer> { state, event, printer in
    switch event {
    case .add(let amount):
        guard isValid(amount) else { throw Rejection("\(amount) is no amount") }
        let total = state.total + amount
        return .run {
            .printed(try await printer.print(total))
        } catch: {
            .printed("\($0)")
        }.job("print", .latest).prepend(.added(amount))
    case .print(let text):
        return .just(.printed(text))
    }
} apply: { state, effect in
    switch effect {
    case .added(let amount): state.total += amount
    case .printed(let text): state.receipts.append(text)
    }
}

nonisolated func isValid(_ amount: Int) -> Bool { amount > 0 }

func program(_ printer: Printer) -> Program<Till, TillEvent, TillEffect, Printer> {
    let keys: KeyTable<TillEvent> = [.key("+", sends: .add(1), help: "one more"), .quit("q", help: "quit")]
    return Program(till, initialState: Till(), environment: printer) { state, screen in
        screen.add(
            Rows {
                Text("\(state.total)")
                HelpView(keys)
            })
    }
    .keys(keys)
}

final class Model {
    var lines: [String] = []
    private let store: Store<Till, TillEvent>
    private var subscriptions = Set<AnyCancellable>()

    init(_ store: Store<Till, TillEvent>) {
        self.store = store
        store.values(of: \.receipts).sink { self.lines = $0 }.store(in: &subscriptions)
    }

    func press() async { await store.send(.add(2), until: .settled) }
}

@main
struct App {
    static func main() async throws {
        let printer = Printer { "receipt for \($0)" }
        try Plan(till, given: Till()) { _ in printer }
            .when(.print("x"))
            .then(\.receipts, equals: ["x"])
            .run()
        _ = program(printer)

        let store = Store(
            reducer: till, initialState: Till(), environment: printer,
            feedback: { states in [states.react(to: { $0.total == 1 ? true : nil }, { _ in Just(.add(1)) })] })
        let model = Model(store)
        await store.send(.add(1), until: .settled)
        await model.press()

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moonlight-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for total in [1, 2] {
            let book = try await Store(
                reducer: till, initialState: Till(), environment: printer,
                durable: .folder(folder, schema: Schema(TillEffect.self)))
            await book.send(.add(1))
            guard book.state.total == total else { fatalError("the durable store has \(book.state)") }
            await book.drain(within: nil)
            await book.durability?.closed()
        }
        guard model.lines.last == "receipt for 4" else { fatalError("the model has \(model.lines)") }
        print("a module of the main actor has a store, a program and a durable store")
    }
}
