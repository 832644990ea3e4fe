import MoonPresentation
import MoonPresentationTesting
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import HistorySample

@Suite("Samples: history")
struct HistoryTests {
    private let number = Stub<Void, Int, Never>("number")
    private let text = Stub<Void, String, Never>("text")

    private func plan(rows: Int = 8) throws -> Plan<HistoryState, HistoryEvent, HistoryEffect, HistoryEnvironment> {
        let program = program(.live(seed: 7, delay: 0, on: ImmediateScheduler.shared))
        return try Plan(program, size: Size(columns: 46, rows: rows)) { [number, text] in
            HistoryEnvironment(number: $0.publisher(number), text: $0.publisher(text))
        }
    }

    @Test("Keys call the services, and their answers are kept in the order of arrival")
    func answers() throws {
        try plan()
            .looks(like: "History\n\nNothing yet.\n\nn number  t text  q quit")
            .press("n", "t", "x")
            .resolve(text(), with: "The moon has no light of its own.")
            .resolve(number(), with: 3)
            .looks(like: "History\n\nString: The moon has no light of its own.\nNumber: 3\n\nn number  t text  q quit")
            .frame { try $0.compare(toPictureOf: "history", "Two answers, and the keys") }
            .press("q").hasEnded()
            .run()
    }

    @Test("The last ten answers are kept, and a low window shows the newest")
    func many() throws {
        try (1...12).reduce(plan(rows: 3)) { plan, value in plan.press("n").resolve(number(), with: value) }
            .then(\.history, equals: (3...12).map { "Number: \($0)" })
            .looks(like: "Number: 11\nNumber: 12\nn number  t text  q quit")
            .run()
    }

    @Test("The same seed gives the same answers, whatever the delay")
    func seed() {
        func answers(delay: Int) -> [Int] {
            let time = VirtualTimeScheduler()
            let environment = HistoryEnvironment.live(seed: 7, delay: delay, on: time)
            var received: [(index: Int, value: Int)] = []
            let subscriptions = (0..<20).map { index in
                environment.number().sink { received.append((index, $0)) }
            }
            time.run()
            defer { for subscription in subscriptions { subscription.cancel() } }
            return received.sorted { $0.index < $1.index }.map(\.value)
        }
        expectEqual(answers(delay: 0).prefix(3), [3, 1, 6])
        expectEqual(answers(delay: 0), answers(delay: 100))
    }

    @Test("Commands are parsed without regard to capitals, and other words are no commands")
    func commands() {
        expect([event(for: "n", line: 1), event(for: "NUMBER", line: 1)].allSatisfy { $0 == .numberRequested })
        expect(event(for: "Text", line: 1) == .textRequested)
        expect(event(for: "", line: 1) == nil)
    }
}
