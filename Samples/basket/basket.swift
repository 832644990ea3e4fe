// How do I … write what follows from what a user does, step by step, with every failure handled? A basket in a JSON file: each scenario
// is an asynchronous body whose works are awaited one after the other.
//
//     swift run basket [FOLDER]      + and - change the amount, Space checks, d deletes, b buys
import MoonFoundation
import MoonPresentation
import Moonlight
import Streams

func program(_ works: Works) -> Program<Basket, BasketEvent, BasketEffect, Works> {
    Program(Basket.reducer, initialState: Basket(), environment: works) { basket, screen in
        screen.add(BasketView(basket: basket, refusal: screen.notes.last).body)
    }
    .keys([], quit: ["q", .control("d")])
    .keys(in: \.keys)
    .notes { if case .rejected(_, let error) = $0.step { "\(error)" } else { nil } }
    .feedback { _, _ in [.just(.load)] }
}

@main struct Main {
    static func main() throws {
        StandardStreams.prepare()
        do {
            let folder = CommandLine.arguments.dropFirst().first
            let store = try folder.map { FileStore(folder: $0) } ?? FileStore(in: .data, application: "basket")
            try program(.live(store)).run()
        } catch {
            StandardStreams.exit(74, "basket: \(error)")
        }
    }
}
