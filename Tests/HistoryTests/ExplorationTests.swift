import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import HistorySample

private let number = Stub<Void, Int, Never>("number")
private let text = Stub<Void, String, Never>("text")

/// The history, and how often it was asked for a line: what a property needs to know, and the program does not.
private struct Asked: Hashable {
    var lines: [String] = []
    var requests = 0
}

private enum AskedEffect: Equatable {
    case asked
    case answered(HistoryEffect)
}

/// The program's two functions, with the requests counted.
private let reducer = Reducer<Asked, HistoryEvent, AskedEffect, HistoryEnvironment>(
    transform: { state, event, environment in
        HistoryReducer.transform(state: HistoryState(history: state.lines), event: event, environment: environment)
            .map(AskedEffect.answered).prepend(.asked).eraseToAnyPublisher()
    },
    apply: { (state: inout Asked, effect: AskedEffect) in
        switch effect {
        case .asked: state.requests += 1
        case .answered(let answer):
            state.lines = HistoryReducer.apply(state: HistoryState(history: state.lines), effect: answer).history
        }
    })

private func exploration(
    given lines: [String] = [], atMost requests: Int = Budget.size(3, quick: 2)
) -> Exploration<Asked, HistoryEvent, AskedEffect, HistoryEnvironment> {
    Exploration(reducer, given: Asked(lines: lines)) { stubs in
        HistoryEnvironment(number: stubs.publisher(number), text: stubs.publisher(text))
    }
    .events([.numberRequested, .textRequested], atMost: requests)
    .answers(number, with: [1, 2])
    .answers(text, with: ["moon"])
}

@Suite("History: explored")
struct HistoryExplorationTests {
    @Test("Each request brings one line, whatever the order of the answers")
    func oneLineEach() throws {
        let report = try exploration()
            .always("no line comes unasked") { $0.lines.count <= $0.requests }
            .eventually(
                "a request is answered", after: { $0.lines.count < $0.requests }, until: { $0.lines.count == $0.requests }
            )
            .whenQuiet("there are as many lines as requests") { $0.lines.count == $0.requests }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("A full history stays full, and loses its oldest lines only, also where answers are cancelled")
    func tenLines() throws {
        let ten = (1...10).map { "String: \($0)" }
        let report = try exploration(given: ten)
            .cancelsAnywhere()
            .always("there are ten lines") { $0.lines.count == 10 }
            .always("what is left of the old lines is the newest of them, in their order") { state in
                let old = state.lines.filter(ten.contains)
                return old == ten.suffix(old.count) && old == Array(state.lines.prefix(old.count))
            }
            .always("no more lines are lost than were asked for") { $0.lines.filter(ten.contains).count >= 10 - $0.requests }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("An answer that never arrives does not hold up any other")
    func neverAnswered() throws {
        try exploration(atMost: Budget.size(5, quick: 3))
            .answers(number, with: [1], never: true)
            .canAlways("be answered") { $0.lines.count == $0.requests }
            .run()
    }
}
