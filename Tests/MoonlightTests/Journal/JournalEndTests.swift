import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("The end of a journal")
struct JournalEndTests {
    /// Not Sendable, so that the loop is isolated to its actor.
    private final class Surroundings {
        var handled: [Int] = []
    }

    private static func makeStore(on isolation: isolated any Actor, _ lines: Recorder<String>) -> Store<Int, Int> {
        Store(
            reducer: Reducer<Int, Int, Int, Surroundings>(
                transform: { _, number, surroundings in
                    surroundings.handled.append(number)
                    return PassthroughSubject<Int, Never>().job("job\(number)").eraseToAnyPublisher()
                }, apply: { $0 += $1 }),
            initialState: 0, environment: Surroundings(), options: LoopOptions(journal: { lines.append("\($0)") }))
    }

    @Test(
        "If another thread cancels a loop on an actor, the journal records the jobs that end with it",
        arguments: [true, false])
    func jobs(isOnMainActor: Bool) async {
        let (lines, owner) = (Recorder<String>(), QueueActor())
        let store = await Self.makeStore(on: isOnMainActor ? MainActor.shared : owner, lines)
        for number in 1...2 { await store.send(number, until: .decided) }
        elsewhere { store.cancel() }
        await store.finished()
        expectEqual(
            lines.all.suffix(3).map { line in String(line.drop { $0 != " " }) },
            [" <- 1  job job1 cancelled", " <- 3  job job2 cancelled", "  cancelled"])
    }

    @Test("`finished` returns after the last record, and after the ends of the states and the refusals")
    func finished() {
        let (executor, waiting) = (SteppedExecutor(), Recorder<String>())
        let note = { @Sendable (what: String) in waiting.append("\(what) \(executor.waiting)") }
        let store = scriptStore(ScriptOptions(journal: { if case .ended = $0.step { note("journal") } }))
        let observers = [
            store.states.sink(receiveCompletion: { _ in note("states") }, receiveValue: { _ in }),
            store.refusals.sink(receiveCompletion: { _ in note("refusals") }, receiveValue: { _ in }),
        ]
        Task(executorPreference: executor) { await store.finished() }
        executor.run()
        store.cancel()
        expectEqual(waiting.all, ["states 0", "journal 0", "refusals 0"])
        expectEqual(executor.waiting, 1)
        executor.run()
        withExtendedLifetime(observers) {}
    }
}
