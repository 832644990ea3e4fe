import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Effects of an async body")
struct RunTests {
    private struct Oops: Error {}

    @Test("The values of a body arrive in order, and its error becomes the last value")
    func chain() async {
        @Sendable func load(_ page: Int) async throws -> String {
            if page == 3 { throw Oops() }
            await Task.yield()
            return "page \(page)"
        }
        let store = scriptStore()
        let outcome = await store.send(
            .stream("chain") {
                .run { send in
                    send("begun")
                    let first = try await load(1)
                    let second = try await load(2)
                    send(first + ", " + second)
                    send(try await load(3))
                } catch: {
                    "failed: \($0)"
                }
            })
        expectEqual(outcome.word, "settled")
        expectEqual(store.state, ["begun", "page 1, page 2", "failed: Oops()"])
    }

    @Test("An error for which `catch` returns nil ends the stream")
    func swallowed() async {
        let store = scriptStore()
        let outcome = await store.send(
            .stream("fails") {
                .run { _ in
                    throw Oops()
                } catch: { _ in
                    nil
                }
            })
        expectEqual(outcome.word, "settled")
        expectEqual(store.state, [])
    }

    @Test("The typed error of a body is the failure of its stream")
    func typed() async {
        let store = scriptStore()
        await store.send(
            .stream("fails") {
                AnyPublisher<String, Oops>.run { send throws(Oops) in
                    send("before")
                    throw Oops()
                }.catch { _ in Just("caught") }.eraseToAnyPublisher()
            })
        expectEqual(store.state, ["before", "caught"])
    }

    /// The ways in which the body is cancelled.
    enum Ending: CaseIterable { case job, store, replacement }

    @Test("A cancelled body sees its cancellation, and nothing that it sends afterwards arrives", arguments: Ending.allCases)
    func cancelled(_ ending: Ending) async {
        let (isRunning, goOn, isOver) = (Flag(), Flag(), Flag())
        let (store, wasCancelled) = (scriptStore(), Recorder<Bool>())
        let event = ScriptEvent.stream("body") {
            Words.run { send in
                send("before")
                isRunning.raise()
                await goOn.wait()
                wasCancelled.append(Task.isCancelled)
                send("after")
                isOver.raise()
                try Task.checkCancellation()
            } catch: {
                "failed: \($0)"
            }.job("job").eraseToAnyPublisher()
        }
        store.post(event)
        await isRunning.wait()
        switch ending {
        case .job: store.cancelJob("job")
        case .store: store.cancel()
        case .replacement: store.post(.stream("next") { Just("next").job("job").eraseToAnyPublisher() })
        }
        goOn.raise()
        await isOver.wait()
        expectEqual(wasCancelled.all, [true])
        // Values that the body sent have arrived by now, if they arrive at all.
        if ending != .store { await store.send(.words([])) }
        expect(store.state == (ending == .replacement ? ["before", "next"] : ["before"]))
    }
}
