import Dispatch
import MoonlightTestSupport
import Streams
import Testing

@Suite("Contract, rule 8: isolation")
struct IsolationTests {
    @Test("A nonisolated closure of `sink` may write local variables, and is called at once")
    func nonisolated() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        let cancellable = subject.sink { seen.append($0) }
        subject.send(1)
        expectEqual(seen, [1])
        cancellable.cancel()
    }

    @MainActor
    @Test("A closure that is formed on the main actor is called at once for a value that is sent there")
    func mainAtOnce() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        let cancellable = subject.sink { value in
            MainActor.preconditionIsolated()
            seen.append(value)
        }
        subject.send(1)
        expectEqual(seen, [1])
        subject.send(2)
        expectEqual(seen, [1, 2])
        cancellable.cancel()
    }

    @MainActor
    @Test("A closure that is formed on the main actor receives the values of other threads there, in order")
    func mainFromElsewhere() async {
        let subject = PassthroughSubject<Int, Oops>()
        let done = Flag()
        var seen: [Int] = []
        let cancellable = subject.sink { _ in
            MainActor.preconditionIsolated()
            done.raise()
        } receiveValue: { value in
            MainActor.preconditionIsolated()
            seen.append(value)
        }
        DispatchQueue.global().async {
            for value in 0..<1_000 { subject.send(value) }
            subject.send(completion: .finished)
        }
        await done.wait()
        expectEqual(seen, Array(0..<1_000))
        cancellable.cancel()
    }

    @MainActor
    @Test("A thread that floods a closure of a busy actor returns from each call, and nothing is lost")
    func flood() async {
        let subject = PassthroughSubject<Int, Never>()
        var sum = 0
        let cancellable = subject.sink { sum += $0 }
        // The main actor is blocked until the thread has finished.
        elsewhere { for _ in 0..<Flood.size { subject.send(1) } }
        while sum < Flood.size { await Task { @MainActor in }.value }
        expectEqual(sum, Flood.size)
        cancellable.cancel()
    }

    @MainActor
    @Test("A value that is sent on a queue with the main queue's label is delivered on the main actor")
    func queueWithItsLabel() async {
        let subject = PassthroughSubject<Int, Never>()
        let done = Flag()
        let cancellable = subject.sink { _ in
            MainActor.preconditionIsolated()
            done.raise()
        }
        DispatchQueue(label: DispatchQueue.main.label).async { subject.send(1) }
        await done.wait()
        cancellable.cancel()
    }

    @MainActor
    @Test("Pending values of the main actor arrive before a value that is sent there later")
    func mainKeepsOrder() async {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        let cancellable = subject.sink { seen.append($0) }
        let sent = Latch()
        DispatchQueue.global().async {
            subject.send(1)
            subject.send(2)
            sent.open()
        }
        wait(for: sent)
        expectEqual(seen, [])
        subject.send(3)
        expectEqual(seen, [], "a thread must not run another thread's items")
        await Task { @MainActor in }.value
        expectEqual(seen, [1, 2, 3])
        cancellable.cancel()
    }

    @MainActor
    @Test("A pending value of the main actor is dropped when the sink is cancelled")
    func mainCancelled() async {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        let cancellable = subject.sink { seen.append($0) }
        let sent = Latch()
        DispatchQueue.global().async {
            subject.send(1)
            sent.open()
        }
        wait(for: sent)
        cancellable.cancel()
        await drainMain()
        expectEqual(seen, [])
    }

    @MainActor
    @Test(
        "A value that is sent during a delivery on the main actor arrives after it, even if the publisher violates the grammar",
        arguments: [true, false])
    func mainReentrant(keepsRules: Bool) {
        let (subject, probe) = (PassthroughSubject<Int, Never>(), Probe<Int, Never>())
        func send(_ value: Int) { if keepsRules { subject.send(value) } else { probe.send(value) } }
        let publisher = keepsRules ? subject.eraseToAnyPublisher() : probe.eraseToAnyPublisher()
        var seen: [Int] = []
        let cancellable = publisher.sink { value in
            if value == 1 { send(2) }
            seen.append(value)
        }
        send(1)
        expectEqual(seen, [1, 2])
        cancellable.cancel()
    }

    @MainActor
    @Test("`assign(to:on:)` writes on the main actor when it is called there")
    func mainAssign() async {
        let model = Model()
        let subject = PassthroughSubject<Int, Never>()
        let cancellable = subject.assign(to: \.value, on: model)
        subject.send(1)
        expectEqual(model.value, 1)
        let done = Flag()
        DispatchQueue.global().async {
            subject.send(2)
            done.raise()
        }
        await done.wait()
        await drainMain()
        expectEqual(model.value, 2)
        cancellable.cancel()
    }

    @MainActor
    private final class Model {
        var value = 0 { didSet { MainActor.preconditionIsolated() } }
    }

    /// Blocks the main thread: some tests need a busy main actor.
    @MainActor
    private func wait(for latch: Latch) { latch.wait() }

    /// Returns when all pending work of the main actor has run.
    @MainActor
    private func drainMain() async {
        for _ in 0..<3 {
            await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
            await Task { @MainActor in }.value
        }
    }

    @Test("A closure that is formed on an actor is called at once for values that arrive during the subscription")
    func actorAtOnce() async {
        let keeper = Keeper()
        await expectEqual(keeper.collect([1, 2, 3].publisher), [1, 2, 3])
    }

    @Test("A closure that is formed on an actor receives the values of another thread on that actor, in order")
    func actorFromElsewhere() async {
        let keeper = Keeper()
        let subject = PassthroughSubject<Int, Never>()
        let done = Flag()
        await keeper.listen(to: subject, until: 999, done)
        DispatchQueue.global().async { for value in 0..<1_000 { subject.send(value) } }
        await done.wait()
        await expectEqual(keeper.seen, Array(0..<1_000))
    }

    @Test("A closure that is formed on an actor receives the values of several threads one at a time")
    func actorFromThreads() async {
        let keeper = Keeper()
        let subject = PassthroughSubject<Int, Never>()
        let done = Flag()
        await keeper.listen(to: subject, until: -1, done)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                DispatchQueue.concurrentPerform(iterations: 4) { thread in
                    for index in 0..<500 { subject.send(index * 4 + thread) }
                }
                subject.send(-1)
                continuation.resume()
            }
        }
        await done.wait()
        await expectEqual(keeper.seen.dropLast().sorted(), Array(0..<2_000))
    }

    @Test("Values that an actor sends to its own sink arrive on the actor later, in order")
    func actorOwnSends() async {
        let keeper = Keeper()
        let subject = PassthroughSubject<Int, Never>()
        let done = Flag()
        await keeper.listen(to: subject, until: 9, done)
        await expectEqual(keeper.send(0..<10, to: subject), [])
        await done.wait()
        await expectEqual(keeper.seen, Array(0..<10))
    }

    private actor Keeper {
        private(set) var seen: [Int] = []
        private var cancellable: AnyCancellable?

        func collect<P: Publisher>(_ publisher: P) -> [Int] where P.Output == Int, P.Failure == Never {
            cancellable = publisher.sink { value in
                self.preconditionIsolated()
                self.seen.append(value)
            }
            return seen
        }

        func listen(to subject: PassthroughSubject<Int, Never>, until last: Int, _ done: Flag) {
            cancellable = subject.sink { value in
                self.preconditionIsolated()
                self.seen.append(value)
                if value == last { done.raise() }
            }
        }

        /// - Returns: The received values when all have been sent.
        func send(_ values: Range<Int>, to subject: PassthroughSubject<Int, Never>) -> [Int] {
            for value in values { subject.send(value) }
            return seen
        }
    }
}
