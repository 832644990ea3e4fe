import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// The main actor runs these tests, so that bodies isolated to it wait until a test awaits something.
@MainActor
@Suite("Guarantee 7: `run` bodies that wait for their actor never begin after the end")
struct ActorBeginningTests {
    private let executor = SteppedExecutor()

    /// The ways in which the bodies end.
    enum Ending: CaseIterable { case loop, job, replacement }

    private func store(_ policy: JobPolicy, _ body: @escaping @Sendable (Int) -> AnyPublisher<Int, Never>) -> Store<Int, Int> {
        Store(
            reducer: Reducer(
                transform: { _, event, _ in body(event).job("x", policy).eraseToAnyPublisher() }, apply: { $0 += $1 }),
            initialState: 0, environment: ())
    }

    /// Runs the pending bodies of the main actor: each call of a task with an executor of its own goes to the end of the actor's
    /// queue.
    private func turn() async { for _ in 0..<10 { await turnOnce() } }

    private func turnOnce() async {
        let isOver = Flag()
        let last = executor.here { AnyPublisher<Int, Never>.run { @MainActor _ in isOver.raise() }.sink { _ in } }
        executor.run()
        await isOver.wait()
        withExtendedLifetime(last) {}
    }

    @Test(
        "Bodies of `run` that wait for their actor do not begin after their loop or job was ended or replaced",
        arguments: Ending.allCases, [false, true])
    func ended(_ ending: Ending, recovers: Bool) async {
        let begun = Recorder<Int>()
        let store = store(ending == .replacement ? .latest : .merge) { event in
            if recovers {
                .run { @MainActor _ in
                    begun.append(event)
                } catch: { _ in
                    nil
                }
            } else {
                .run { @MainActor _ in begun.append(event) }
            }
        }
        for event in 1...50 {
            executor.here { _ = store.post(event) }
            executor.run()
        }
        switch ending {
        case .loop: store.cancel()
        case .job: store.cancelJob("x")
        case .replacement: break
        }
        await turn()
        expect(begun.all == (ending == .replacement ? [50] : []))
        store.cancel()
    }
}
