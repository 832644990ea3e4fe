// A first program: two services answer after a while, and the last ten answers are shown.
//
//     swift run history                                 in a terminal: n asks for a number, t for a line of text
//     printf 'number\ntext\n' | swift run history       in a pipe: a command a line, and the history after each change
import Dispatch
import MoonPresentation
import Moonlight
import Streams
import Synchronization

struct HistoryState: Equatable {
    var history: [String] = []
}

enum HistoryEvent {
    case numberRequested
    case textRequested
}

enum HistoryEffect {
    case numberReceived(Int)
    case textReceived(String)
}

struct HistoryEnvironment: Sendable {
    var number: @Sendable () -> AnyPublisher<Int, Never>
    var text: @Sendable () -> AnyPublisher<String, Never>
}

let reducer = Reducer<HistoryState, HistoryEvent, HistoryEffect, HistoryEnvironment> { _, event, environment in
    switch event {
    case .numberRequested: environment.number().effects(HistoryEffect.numberReceived)
    case .textRequested: environment.text().effects(HistoryEffect.textReceived)
    }
} apply: { state, effect in
    switch effect {
    case .numberReceived(let number): state.history.append("Number: \(number)")
    case .textReceived(let text): state.history.append("String: \(text)")
    }
    state.history = state.history.suffix(10)
}

let keys: KeyTable<HistoryEvent> = [
    .key("n", sends: .numberRequested, help: "number"),
    .key("t", sends: .textRequested, help: "text"),
    .quit("q", help: "quit"),
    .quit(.control("d")),
]

func program(_ environment: HistoryEnvironment) -> Program<HistoryState, HistoryEvent, HistoryEffect, HistoryEnvironment> {
    Program(reducer, initialState: HistoryState(), environment: environment) { state, screen in
        let lines = state.history.isEmpty ? ["Nothing yet."] : state.history
        // In a small window, the title, the gaps and old lines are omitted.
        let isRoomy = screen.size.rows >= lines.count + 4
        screen.add(
            Rows {
                if isRoomy { Text("History\n", style: .bold) }
                for line in lines.suffix(max(1, screen.size.rows - 1)) { Text(line, wraps: false) }
                if isRoomy { Text("") }
                if screen.size.rows > 1 { HelpView(keys) }
            })
    }
    .keys(keys)
}

func pipe(_ environment: HistoryEnvironment) async -> Int32 {
    let output = OutputLines()
    var printing: AnyCancellable?
    let store = Store(
        reducer: reducer, initialState: HistoryState(), environment: environment,
        feedback: { states in
            printing = states.dropFirst().sink { output.write($0.history + [""]) }
            return [
                StandardStreams.lines().publisher
                    .map { (number: $0.number, word: $0.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")) }
                    .prefix { !["q", "quit"].contains($0.word.lowercased()) && output.failure == nil }
                    .compactMap { event(for: $0.word, line: $0.number) }
                    .eraseToAnyPublisher()
            ]
        })
    // The loop ends by itself after the end of the input and the last answer.
    await store.finished()
    printing?.cancel()
    return output.finish(of: "history")
}

func event(for word: String, line: Int) -> HistoryEvent? {
    switch word.lowercased() {
    case "n", "number": return .numberRequested
    case "t", "text": return .textRequested
    case "": return nil
    default:
        StandardStreams.complain("history: line \(line): unknown command: \(word.prefix(60))")
        return nil
    }
}

/// A seeded random number generator: SplitMix64, by Sebastiano Vigna.
struct Dice {
    var state: UInt64

    mutating func next(below limit: UInt64) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)).multipliedFullWidth(by: limit).high)
    }
}

let lines = [
    "The moon has no light of its own.", "Every tide is a message from far away.", "The same side has looked at us all along.",
    "A footprint up there outlives its foot.", "Even a thin crescent finds its reader.", "Nobody hears the landing.",
]

extension HistoryEnvironment {
    /// Returns a die and a book of lines, which answer after about `delay` milliseconds, so that one answer may overtake another.
    static func live(seed: UInt64, delay: Int, on scheduler: some Scheduler & Sendable) -> HistoryEnvironment {
        let world = Mutex((die: Dice(state: seed), line: -1))
        @Sendable func answer<Value: Sendable>(_ value: Value) -> AnyPublisher<Value, Never> {
            if delay == 0 { return .just(value) }
            let pause = Int.random(in: delay / 2...delay * 3 / 2)
            return Just(value).delay(for: .milliseconds(pause), scheduler: scheduler).eraseToAnyPublisher()
        }
        return HistoryEnvironment(
            number: { answer(1 + world.withLock { $0.die.next(below: 6) }) },
            text: {
                answer(
                    world.withLock { world in
                        world.line = (world.line + 1) % lines.count
                        return lines[world.line]
                    })
            })
    }
}

@main struct Main {
    static func main() async throws {
        StandardStreams.prepare()
        let isPanel = Terminal.standard.canShow
        let arguments = Array(CommandLine.arguments.dropFirst())
        let seed = arguments.isEmpty ? .random(in: 0 ... .max) : arguments.last.flatMap(UInt64.init)
        guard let seed, arguments.isEmpty || arguments.dropLast() == ["--seed"] else {
            StandardStreams.exit(64, "history: usage: history [--seed NUMBER]")
        }
        let environment = HistoryEnvironment.live(seed: seed, delay: isPanel ? 300 : 0, on: DispatchQueue.global())
        guard isPanel else { StandardStreams.exit(await pipe(environment)) }
        try await program(environment).run()
    }
}
