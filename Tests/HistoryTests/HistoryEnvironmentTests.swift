import Dispatch
import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@testable import HistorySample

@Suite("History: the environment")
struct HistoryEnvironmentTests {
    /// Subscribes to the answers of several requests.
    private func answers(
        of environment: HistoryEnvironment, to requests: [HistoryEvent], while waiting: () -> Void = {}
    ) -> [HistoryEffect] {
        var received: [HistoryEffect] = []
        let cancellables = requests.map { event in
            HistoryReducer.transform(state: HistoryState(), event: event, environment: environment)
                .sink { received.append($0) }
        }
        waiting()
        for cancellable in cancellables { cancellable.cancel() }
        return received
    }

    @Test("Answers without a delay are synchronous, in the order of the requests")
    func answersAtOnce() {
        let environment = HistoryEnvironment.live(seed: 1, lines: ["a", "b"], delay: 0)
        let received = answers(of: environment, to: [.textRequested, .textRequested, .textRequested, .numberRequested])
        expectEqual(received.prefix(3), [.textReceived("a"), .textReceived("b"), .textReceived("a")])
        expectEqual(received.count, 4)
    }

    @Test("The die shows each of its six sides about equally often")
    func dieIsFair() {
        let environment = HistoryEnvironment.live(seed: 2, lines: ["a"], delay: 0)
        var counts: [HistoryEffect: Int] = [:]
        for answer in answers(of: environment, to: Array(repeating: .numberRequested, count: 6000)) {
            counts[answer, default: 0] += 1
        }
        expectEqual(Set(counts.keys), Set((1...6).map(HistoryEffect.numberReceived)))
        expect(counts.values.allSatisfy { (850...1150).contains($0) })
    }

    @Test("The same seed gives the same numbers, whatever the delay")
    func seedDecides() {
        let requests = Array(repeating: HistoryEvent.numberRequested, count: 50)
        let first = answers(of: .live(seed: 3, lines: ["a"], delay: 0), to: requests)
        let second = answers(of: .live(seed: 3, lines: ["a"], delay: 0), to: requests)
        let other = answers(of: .live(seed: 4, lines: ["a"], delay: 0), to: requests)
        expectEqual(first, second)
        expect(first != other)

        let time = VirtualTimeScheduler()
        let late = answers(of: .live(seed: 3, lines: ["a"], delay: 10, scheduler: time), to: requests) { time.run() }
        expectEqual(late.map(\.sortingKey).sorted(), first.map(\.sortingKey).sorted())
    }

    @Test("Answers with a delay arrive after a half to one and a half of it, and overtake each other")
    func answersOvertake() {
        let time = VirtualTimeScheduler()
        let lines = (1...20).map(String.init)
        let environment = HistoryEnvironment.live(seed: 5, lines: lines, delay: 100, scheduler: time)
        var counts: [Int] = []
        var received: [HistoryEffect] = []
        let requests = Array(repeating: HistoryEvent.textRequested, count: 20)
        let cancellables = requests.map { event in
            HistoryReducer.transform(state: HistoryState(), event: event, environment: environment)
                .sink { received.append($0) }
        }
        for step in [49, 101, 1000] {
            time.advance(by: .milliseconds(step))
            counts.append(received.count)
        }
        expectEqual(counts, [0, 20, 20])
        expect(received != lines.map(HistoryEffect.textReceived))
        expectEqual(Set(received), Set(lines.map(HistoryEffect.textReceived)))
        expectEqual(cancellables.count, 20)
    }

    @Test("A permit is returned when an answer has arrived, and when it is cancelled")
    func permitsComeBack() {
        let time = VirtualTimeScheduler()
        let limit = Limit(2)
        let environment = HistoryEnvironment.live(seed: 6, lines: ["a"], delay: 10, scheduler: time).limited(by: limit)
        limit.acquire()
        limit.acquire()
        let first = environment.number().sink { _ in }
        let second = environment.text().sink { _ in }
        expect(!limit.tryAcquire())
        first.cancel()
        expect(limit.tryAcquire())
        expect(!limit.tryAcquire())
        time.run()
        expect(limit.tryAcquire())
        second.cancel()
    }

    @Test("The loop with virtual time loses no answer, and keeps ten lines")
    func runsInTheLoop() {
        let time = VirtualTimeScheduler()
        let events = PassthroughSubject<HistoryEvent, Never>()
        var states: [HistoryState] = []
        var isFinished = false
        var observation: AnyCancellable?
        let loop = Moonlight.start(
            initialState: HistoryState(),
            environment: HistoryEnvironment.live(seed: 7, lines: (1...30).map(String.init), delay: 50, scheduler: time),
            feedback: { state in
                observation = state.sink(
                    receiveCompletion: { _ in isFinished = true }, receiveValue: { states.append($0) })
                return events.eraseToAnyPublisher()
            },
            transform: HistoryReducer.transform,
            apply: HistoryReducer.apply)
        for _ in 1...30 { events.send(.textRequested) }
        events.send(completion: .finished)
        expectEqual(states, [HistoryState()])
        expect(!isFinished, "answers are still due")
        time.run()
        expectEqual(states.count, 31)
        expectEqual(states.last?.history.count, 10)
        expect(isFinished)
        loop.cancel()
        observation?.cancel()
    }
}

extension HistoryEffect {
    fileprivate var sortingKey: String { "\(self)" }
}
