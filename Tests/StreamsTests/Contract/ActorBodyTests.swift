import MoonlightTestSupport
import Streams
import Testing

/// The main actor runs these tests, so that bodies isolated to it wait until a test awaits something.
@MainActor
@Suite("Bodies of `run` that are isolated to an actor")
struct ActorBodyTests {
    private struct Oops: Error {}

    private let executor = SteppedExecutor()
    private let log = Log<String>()

    private func subscribe(_ body: @escaping @MainActor @Sendable () -> Void) -> AnyCancellable {
        executor.here { AnyPublisher<Int, Never>.run { @MainActor _ in body() }.sink { _ in } }
    }

    /// Runs a closure while all bodies wait for the main actor, and returns when they have run.
    private func whileBodiesWait(_ work: () -> Void) async {
        let isOver = Flag()
        let last = subscribe { isOver.raise() }
        executor.run()
        work()
        await isOver.wait()
        withExtendedLifetime(last) {}
    }

    @Test("A body of `run` on an actor that is cancelled before the actor is free never begins")
    func cancelled() async {
        let (first, second) = (subscribe { [log] in log.append("first") }, subscribe { [log] in log.append("second") })
        await whileBodiesWait { first.cancel() }
        expectEqual(log.items, ["second"])
        withExtendedLifetime(second) {}
    }

    @Test("A body of `run` on an actor is released as soon as its subscription is cancelled, even if the actor is busy")
    func released() async {
        weak var seen: Token?
        var running: AnyCancellable?
        do {
            let token = Token()
            seen = token
            running = subscribe { [log] in log.append("\(token.pass(1))") }
        }
        await whileBodiesWait {
            expect(seen != nil)
            running?.cancel()
            expect(seen == nil)
        }
    }

    @Test("A body of `run` on an actor delivers its values and its error")
    func ends() async {
        let isOver = Flag()
        let running = AnyPublisher<Int, Oops>.run { @MainActor [log] send throws(Oops) in
            log.append("begins")
            send(1)
            throw Oops()
        }.sink { [log] completion in
            if case .failure = completion { log.append("fails") }
            isOver.raise()
        } receiveValue: { [log] in
            log.append("\($0)")
        }
        await isOver.wait()
        expectEqual(log.items, ["begins", "1", "fails"])
        withExtendedLifetime(running) {}
    }
}
