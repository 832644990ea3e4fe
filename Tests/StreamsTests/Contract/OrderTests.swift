import MoonlightTestSupport
import Streams
import Testing

@Suite("Contract, rule 3: order")
struct OrderTests {
    @Test("A subject serves its subscribers in the order in which they subscribed", arguments: [false, true])
    func subscriptionOrder(keepsCurrent: Bool) {
        let subject = AnySubject(keepsCurrent: keepsCurrent)
        var seen: [String] = []
        let cancellables = ["a", "b", "c"].map { name in
            subject.publisher.sink(receiveCompletion: { _ in seen.append(name + ".") }) { seen.append(name + "\($0)") }
        }
        seen = []
        subject.send(1)
        subject.send(2)
        subject.send(completion: .finished)
        expectEqual(seen, ["a1", "b1", "c1", "a2", "b2", "c2", "a.", "b.", "c."])
        for cancellable in cancellables { cancellable.cancel() }
    }

    @Test("A subject keeps the order of its subscribers while others subscribe and cancel", arguments: [false, true])
    func orderAfterLeaving(keepsCurrent: Bool) {
        let subject = AnySubject(keepsCurrent: keepsCurrent)
        var seen: [Int] = []
        var cancellables: [Int: AnyCancellable] = [:]
        var expected: [Int] = []
        func join(_ name: Int) {
            cancellables[name] = subject.publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in seen.append(name) })
            expected.append(name)
        }
        func leave(_ name: Int) {
            cancellables[name] = nil
            expected.removeAll { $0 == name }
        }
        for name in 0..<100 { join(name) }
        var random = Dice(seed: Budget.seed)
        for round in 0..<200 {
            if round % 3 == 0 { join(100 + round) }
            if let name = expected.randomElement(using: &random) { leave(name) }
            seen = []
            subject.send(round)
            expectEqual(seen, expected, "seed \(Budget.seed)")
        }
    }

    @Test("A value that is sent during a delivery is delivered after it, to every subscriber", arguments: [false, true])
    func reentrant(keepsCurrent: Bool) {
        let subject = AnySubject(keepsCurrent: keepsCurrent)
        var seen: [String] = []
        let first = subject.publisher.sink(
            receiveCompletion: { _ in },
            receiveValue: { value in
                seen.append("a\(value)")
                if value == 1 {
                    subject.send(2)
                    subject.send(3)
                }
                seen.append("a\(value) done")
            })
        let second = subject.publisher.sink(
            receiveCompletion: { _ in },
            receiveValue: { value in
                seen.append("b\(value)")
                if value == 2 { subject.send(4) }
            })
        seen = []
        subject.send(1)
        expectEqual(
            seen,
            [
                "a1", "a1 done", "b1", "a2", "a2 done", "b2", "a3", "a3 done", "b3", "a4", "a4 done", "b4",
            ])
        first.cancel()
        second.cancel()
    }

    @Test("A completion that is sent during a delivery is delivered after the values before it", arguments: [false, true])
    func reentrantCompletion(keepsCurrent: Bool) {
        let subject = AnySubject(keepsCurrent: keepsCurrent)
        let first = Recorder<Int, Oops> { _, value in
            guard value == 1 else { return }
            subject.send(2)
            subject.send(completion: .finished)
            subject.send(3)
        }
        let second = Recorder<Int, Oops>()
        subject.publisher.subscribe(first)
        subject.publisher.subscribe(second)
        subject.send(1)
        for recorder in [first, second] {
            expectEqual(recorder.values.filter { $0 > 0 }, [1, 2])
            expect(recorder.isFinished)
            expectEqual(recorder.violations, [])
        }
    }

    @Test(
        "A subscriber that subscribes during a delivery receives the values that are sent after that", arguments: [false, true])
    func joinsInside(keepsCurrent: Bool) {
        let subject = AnySubject(keepsCurrent: keepsCurrent)
        let late = Recorder<Int, Oops>()
        let early = Recorder<Int, Oops> { _, value in
            guard value == 1 else { return }
            subject.send(2)
            subject.publisher.subscribe(late)
            subject.send(3)
        }
        subject.publisher.subscribe(early)
        subject.send(1)
        subject.send(4)
        expectEqual(early.values.filter { $0 > 0 }, [1, 2, 3, 4])
        // The current value is the last one that was sent, although it has not been delivered to the other subscribers yet.
        expect(late.values == (keepsCurrent ? [2, 3, 4] : [3, 4]))
        expectEqual(early.violations + late.violations, [])
    }

    @Test("`value` is current during a delivery, though a value that is sent there is delivered later")
    func currentValueInside() {
        let subject = CurrentValueSubject<Int, Never>(0)
        var seen: [[Int]] = []
        let cancellable = subject.sink { value in
            if value == 1 { subject.value += 10 }
            seen.append([value, subject.value])
        }
        subject.send(1)
        expectEqual(seen, [[0, 0], [1, 11], [11, 11]])
        cancellable.cancel()
    }

    @Test("A request during a delivery is served with the value that is being delivered, not a later one")
    func asksInside() {
        let subject = CurrentValueSubject<Int, Oops>(0)
        let lazy = Recorder<Int, Oops>(.nothing)
        let early = Recorder<Int, Oops> { _, value in
            guard value == 1 else { return }
            subject.send(2)
            lazy.request(.max(1))
        }
        subject.subscribe(early)
        subject.subscribe(lazy)
        subject.send(1)
        expectEqual(early.values, [0, 1, 2])
        expectEqual(lazy.values, [1])
        expectEqual(lazy.violations, [])
    }

    @Test("Requests during deliveries are served with all values that are sent before the completion")
    func asksBeforeTheEnd() {
        let subject = CurrentValueSubject<Int, Oops>(0)
        let lazy = Recorder<Int, Oops>(.nothing)
        subject.subscribe(lazy)
        let eager = Recorder<Int, Oops> { _, value in
            guard value == 1 else { return }
            lazy.request(.unlimited)
            subject.send(2)
            subject.send(completion: .finished)
        }
        subject.subscribe(eager)
        subject.send(1)
        expectEqual(eager.values, [0, 1, 2])
        expect(eager.isFinished)
        expectEqual(lazy.values, [1, 2])
        expect(lazy.isFinished)
        expectEqual(lazy.violations, [])
    }

    @Test(
        "A subscriber that is cancelled during another one's delivery of a value does not receive that value",
        arguments: [false, true])
    func leavesInside(keepsCurrent: Bool) {
        let subject = AnySubject(keepsCurrent: keepsCurrent)
        let second = Recorder<Int, Oops>()
        let first = Recorder<Int, Oops> { _, value in if value == 2 { second.cancel() } }
        let third = Recorder<Int, Oops>()
        for recorder in [first, second, third] { subject.publisher.subscribe(recorder) }
        for value in 1...3 { subject.send(value) }
        expectEqual(first.values.filter { $0 > 0 }, [1, 2, 3])
        expectEqual(second.values.filter { $0 > 0 }, [1])
        expectEqual(third.values.filter { $0 > 0 }, [1, 2, 3])
    }

    @Test("`merge` queues values that its upstreams send during a delivery")
    func mergeReentrant() {
        let (a, b) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<Int, Oops> { _, value in if value < 3 { b.send(value + 1) } }
        a.merge(with: b).subscribe(recorder)
        a.send(1)
        a.send(10)
        expectEqual(recorder.values, [1, 2, 3, 10])
        expectEqual(recorder.violations, [])
    }

    @Test("`flatMap` queues values that an inner publisher sends during a delivery")
    func flatMapReentrant() {
        let outer = PassthroughSubject<Int, Oops>()
        let inner = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops> { _, value in if value == 1 { inner.send(2) } }
        outer.flatMap { value in inner.map { $0 * value } }.subscribe(recorder)
        outer.send(1)
        outer.send(100)
        inner.send(1)
        expectEqual(recorder.values, [1, 100, 2, 200])
        expectEqual(recorder.violations, [])
    }
}
