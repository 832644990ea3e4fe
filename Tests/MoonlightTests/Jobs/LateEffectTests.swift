import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// The effect of a job waits in the mailbox, after an event that replaces or cancels the job. It does not matter whether the
/// job's stream has finished meanwhile.
@Suite("Pending effects of jobs")
struct LateEffectTests {
    /// The ways in which the stream of the first question ends, once its answer has arrived.
    enum Ending: CaseIterable { case none, finished, firstInside, firstOutside }

    @Test("A pending effect is dropped if an earlier event in the mailbox replaces its job", arguments: Ending.allCases)
    func replaced(_ ending: Ending) {
        let desk = Desk(ending)
        desk.store.send(.ask(0))
        desk.store.send(.meanwhile { desk.store.post(.ask(1)) })
        expectEqual(desk.store.state, [])
        desk.answers[1].send(8)
        expectEqual(desk.store.state, [8])
    }

    @Test("A pending effect is dropped if an earlier event in the mailbox cancels its job", arguments: Ending.allCases)
    func cancelled(_ ending: Ending) {
        let desk = Desk(ending)
        desk.store.send(.ask(0))
        desk.store.send(.meanwhile { desk.store.post(.forget) })
        expectEqual(desk.store.state, [])
    }

    @Test("A pending effect is applied if it precedes the event that replaces its job", arguments: Ending.allCases)
    func applied(_ ending: Ending) {
        let desk = Desk(ending)
        desk.store.send(.ask(0))
        desk.store.send(.meanwhile {})
        desk.store.send(.ask(1))
        expectEqual(desk.store.state, [7])
        expectEqual(desk.store.jobs.map(\.event), ["ask(1)"])
    }

    @Test("A sender that awaits an event whose pending effect is dropped learns that the job was replaced")
    func notified() async {
        let desk = Desk(.finished)
        let (asked, continuation) = AsyncStream<Void>.makeStream()
        let sending = Task { await desk.store.send(.askAndTell(0) { continuation.finish() }) }
        for await _ in asked {}
        desk.store.post(.meanwhile { desk.store.post(.ask(1)) })
        let answer = await sending.value
        expect("\(answer)".contains("its job answer was replaced"))
    }

    @Test("The journal records the replacement of a job with a pending effect once, and not its end")
    func journal() {
        let steps = Recorder<String>()
        let desk = Desk(.finished) { record in
            if case .job(let job) = record.step { steps.append("\(job.step)") }
        }
        desk.store.send(.ask(0))
        desk.store.send(.meanwhile { desk.store.post(.ask(1)) })
        expectEqual(steps.all, ["started", "replaced", "started"])
    }

    @Test("The next job of a queue starts after the pending effects of the one before, and is listed alone")
    func queue() {
        let desk = Desk(.finished, .queue)
        desk.store.send(.ask(0))
        desk.store.send(.ask(1))
        desk.store.send(.meanwhile {})
        desk.answers[1].send(8)
        expectEqual(desk.store.state, [7, 8])
        expectEqual(desk.store.jobs.map(\.isWaiting), [false])
    }

    private enum Event: Sendable {
        case ask(Int)
        case askAndTell(Int, @Sendable () -> Void)
        case forget
        /// Calls a closure and sends the first answer while the loop is busy.
        case meanwhile(@Sendable () -> Void)
    }

    /// A program in which only the latest question counts.
    private final class Desk: Sendable {
        let answers = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
        let store: Store<[Int], Event>

        init(
            _ ending: Ending, _ policy: JobPolicy = .latest,
            journal: (@Sendable (JournalRecord<[Int], Event, Int>) -> Void)? = nil
        ) {
            let answers = answers
            @Sendable func answer(_ number: Int) -> AnyPublisher<Int, Never> {
                switch ending {
                case .none, .finished: answers[number].job("answer", policy).eraseToAnyPublisher()
                case .firstInside: answers[number].first().job("answer", policy).eraseToAnyPublisher()
                case .firstOutside: answers[number].job("answer", policy).first().eraseToAnyPublisher()
                }
            }
            let reducer = Reducer<[Int], Event, Int, Void>(
                transform: { _, event, _ in
                    switch event {
                    case .ask(let number): return answer(number)
                    case .askAndTell(let number, let tell):
                        defer { tell() }
                        return answer(number)
                    case .forget: return .cancelJob("answer")
                    case .meanwhile(let act):
                        act()
                        answers[0].send(7)
                        if ending == .finished { answers[0].send(completion: .finished) }
                        return .none
                    }
                },
                apply: { (given: inout [Int], answer: Int) in given.append(answer) })
            store = Store(
                reducer: reducer, initialState: [], environment: (),
                options: LoopOptions(journal: journal))
        }
    }
}
