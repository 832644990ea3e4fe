import Moonlight
import MoonlightTesting
import Streams
import Testing

/// Time that moves when it is told to.
struct TimeTests {
    @Test("who sleeps on a virtual clock wakes at his time, and not before")
    func sleeps() async throws {
        let time = VirtualTimeScheduler()
        let clock = VirtualClock(time)
        let woken = Recorder<Int>()
        let task = AnyPublisher<Int, any Error>.run { send in
            try await clock.sleep(for: .seconds(2))
            send(2)
        }
        .sink(receiveCompletion: { _ in }, receiveValue: { woken.append($0) })
        while time.pending == 0 { await Task.yield() }
        time.advance(by: .milliseconds(1999))
        #expect(time.pending == 1)
        #expect(clock.now.duration(to: VirtualClock.Instant(TimePoint(offset: 2))) == .milliseconds(1))
        withExtendedLifetime(task) {}
    }

    @Test("a cancelled sleep throws at once, and leaves no timer")
    func cancelledSleep() async {
        let time = VirtualTimeScheduler()
        let task = Task { try await VirtualClock(time).sleep(for: .seconds(2)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(time.pending == 0)
    }

    @Test("a scheduler whose type is hidden does what it hides does")
    func anyScheduler() {
        let time = VirtualTimeScheduler()
        let hidden = time.eraseToAnyScheduler()
        let ran = Recorder<String>()
        hidden.schedule { ran.append("soon") }
        hidden.schedule(after: hidden.now.advanced(by: 1)) { ran.append("later") }
        let again = hidden.schedule(interval: 2) { ran.append("again") }
        let once = hidden.schedule(once: hidden.now.advanced(by: 3), tolerance: nil, options: nil) {
            ran.append("once")
        }
        time.advance(by: 2)
        #expect(ran.values == ["soon", "later", "again"])
        once?.cancel()
        time.advance(by: 2)
        #expect(ran.values == ["soon", "later", "again", "again"])
        again.cancel()
        #expect(time.pending == 0)
        #expect(hidden.minimumTolerance == 0)
    }

    @Test("child tasks of a body, and actors it calls, run in the plan, too")
    func childTasks() throws {
        actor Adder { func add(_ a: Int, _ b: Int) -> Int { a + b } }
        let adder = Adder()
        let reducer = Reducer<Int, Int, Int, CounterEnvironment>(
            transform: { _, _, environment in
                .run { send in
                    async let a = environment.load("a")
                    async let b = environment.load("b")
                    let (first, second) = (try await a, try await b)
                    send(await adder.add(Int(first) ?? 0, Int(second) ?? 0))
                } catch: { _ in
                    -1
                }
            }, apply: { $1 })
        try Plan(reducer, given: 0) { CounterEnvironment($0) }
            .when(1)
            .resolve(load("b"), with: "40")
            .then(\.self, equals: 0)
            .resolve(load("a"), with: "2")
            .then(\.self, equals: 42)
            .when(2)
            .fail(load("a"), with: NetworkError.offline)
            .cancelled(load("b"))
            .then(\.self, equals: -1)
            .run()
    }
}
