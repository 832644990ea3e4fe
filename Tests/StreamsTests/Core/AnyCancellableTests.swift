import Dispatch
import Streams
import Synchronization
import Testing

@Suite("AnyCancellable")
struct AnyCancellableTests {
    private final class Counter: Cancellable {
        var calls = 0
        func cancel() { calls += 1 }
    }

    @Test("it cancels once, however often it is told to")
    func once() {
        let counter = Counter()
        let cancellable = AnyCancellable(counter)
        cancellable.cancel()
        cancellable.cancel()
        #expect(counter.calls == 1)
    }

    @Test("it cancels when it is released, unless it has")
    func onRelease() {
        let (released, cancelled) = (Counter(), Counter())
        do {
            _ = AnyCancellable(released)
            AnyCancellable(cancelled).cancel()
        }
        #expect(released.calls == 1)
        #expect(cancelled.calls == 1)
    }

    @Test("two are equal only if they are the same")
    func equality() {
        let counter = Counter()
        let (a, b) = (AnyCancellable(counter), AnyCancellable(counter))
        #expect(a == a)
        #expect(a != b)
        #expect(Set([a, a, b]).count == 2)
    }

    @Test("stored in a set, it lives as long as the set holds it")
    func storeInSet() {
        let counter = Counter()
        var set: Set<AnyCancellable> = []
        counter.store(in: &set)
        #expect(set.count == 1 && counter.calls == 0)
        set = []
        #expect(counter.calls == 1)
    }

    @Test("stored in an array, it lives as long as the array holds it")
    func storeInArray() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        var kept: [AnyCancellable] = []
        subject.sink { seen.append($0) }.store(in: &kept)
        subject.sink { seen.append($0 * 10) }.store(in: &kept)
        subject.send(1)
        kept.removeLast()
        subject.send(2)
        #expect(seen == [1, 10, 2])
    }

    @Test("what is stored is the cancellable itself, so that it can be found and taken out")
    func storesItself() {
        let cancellable = AnyCancellable {}
        var set: Set<AnyCancellable> = []
        cancellable.store(in: &set)
        cancellable.store(in: &set)
        #expect(set == [cancellable])
        var array: [AnyCancellable] = []
        cancellable.store(in: &array)
        #expect(array == [cancellable])
    }

    @Test("what is stored of one that is only known as a Cancellable is another one, which cancels it")
    func storesAnother() {
        let cancellable = AnyCancellable {}
        var set: Set<AnyCancellable> = [cancellable]
        let abstracted: any Cancellable = cancellable
        abstracted.store(in: &set)
        #expect(set.count == 2)
    }

    @Test("cancelled by two threads at once, it has taken effect when either returns", arguments: [false, true])
    func twoThreads(isWrapped: Bool) {
        for _ in 0..<300 {
            let subject = PassthroughSubject<Int, Never>()
            let received = Atomic<Int>(0)
            let sink = subject.sink { _ in received.wrappingAdd(1, ordering: .sequentiallyConsistent) }
            let cancellable = isWrapped ? AnyCancellable(sink) : sink
            let late = Log<Int>()
            DispatchQueue.concurrentPerform(iterations: 3) { thread in
                if thread == 0 {
                    for index in 0..<100 { subject.send(index) }
                } else {
                    cancellable.cancel()
                    late.append(received.load(ordering: .sequentiallyConsistent))
                }
            }
            // One delivery may have begun.
            #expect(late.items.allSatisfy { received.load(ordering: .relaxed) - $0 <= 1 })
        }
    }

    @Test("who cancels while another thread is at it does not return before it has taken effect")
    func secondThread() {
        final class Slow: Cancellable, Sendable {
            let calls = Atomic<Int>(0)
            let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            func cancel() {
                guard calls.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue == 0 else { return }
                begun.signal()
                mayEnd.wait()
            }
        }
        let slow = Slow()
        let cancellable = AnyCancellable(slow)
        let elsewhere = DispatchQueue(label: "elsewhere")
        elsewhere.async { cancellable.cancel() }
        slow.begun.wait()
        cancellable.cancel()
        #expect(slow.calls.load(ordering: .sequentiallyConsistent) == 2)
        slow.mayEnd.signal()
        elsewhere.sync {}
        cancellable.cancel()
        #expect(slow.calls.load(ordering: .sequentiallyConsistent) == 2)
    }

    @Test("what cancels the cancellable from inside its own cancellation does not begin anew")
    func cancelInside() {
        final class Loop: Cancellable {
            var calls = 0
            var handle: AnyCancellable?
            func cancel() {
                calls += 1
                handle?.cancel()
            }
        }
        let loop = Loop()
        loop.handle = AnyCancellable(loop)
        loop.handle?.cancel()
        #expect(loop.calls == 1)
        loop.handle = nil
        #expect(loop.calls == 1)
    }

    @Test("what it has cancelled is let go", arguments: [false, true])
    func letsGo(isClosure: Bool) {
        weak var token: Token?
        let cancellable: AnyCancellable
        do {
            let captured = Token()
            token = captured
            if isClosure {
                cancellable = AnyCancellable { _ = captured }
            } else {
                let subject = PassthroughSubject<Int, Never>()
                var subscription: (any Subscription)?
                subject.map { captured.pass($0) }.subscribe(
                    AnySubscriber(receiveSubscription: { subscription = $0 }))
                let held = subscription.take() ?? Subscriptions.empty
                cancellable = AnyCancellable(held)
            }
        }
        #expect(token != nil)
        cancellable.cancel()
        #expect(token == nil)
    }
}
