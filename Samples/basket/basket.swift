// A basket in a JSON file, with every failure handled: each scenario is an asynchronous body that awaits one call after another.
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
