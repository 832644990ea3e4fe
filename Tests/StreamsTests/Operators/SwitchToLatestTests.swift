import MoonlightTestSupport
import Streams
import Testing

@Suite("Operators `switchToLatest` and `flatMapLatest`")
struct SwitchToLatestTests {
    @Test("`switchToLatest` sends the values of the latest publisher only, and cancels the one before")
    func switches() {
        let outer = PassthroughSubject<Int, Oops>()
        let inner = (0..<3).map { _ in Probe<Int, Oops>(isDeaf: true) }
        let recorder = Recorder<Int, Oops>()
        outer.map { inner[$0] }.switchToLatest().subscribe(recorder)
        outer.send(0)
        inner[0].send(1)
        outer.send(2)
        expectEqual(inner[0].cancellations, 1)
        inner[0].send(2)
        inner[2].send(3)
        outer.send(1)
        inner[2].send(completion: .failure(.first))
        inner[1].send(4)
        expectEqual(recorder.values, [1, 3, 4])
        expectEqual(recorder.completions, [])
    }

    @Test("`switchToLatest` cancels a publisher at once, even during a delivery of its own value")
    func leftFromInside() {
        let outer = PassthroughSubject<Int, Oops>()
        let inner = (0..<2).map { _ in Probe<Int, Oops>(isDeaf: true) }
        var values: [Int] = []
        let subscription = outer.map { inner[$0] }.switchToLatest().sinkValue { value in
            values.append(value)
            guard value == 1 else { return }
            outer.send(1)
            // Both wait until the value is delivered.
            inner[0].send(2)
        }
        outer.send(0)
        inner[0].send(1)
        inner[1].send(3)
        expectEqual(values, [1, 3])
        withExtendedLifetime(subscription) {}
    }

    @Test("`switchToLatest` subscribes after a delivery to a publisher that arrived in it, and loses none of its ready values")
    func switchedDuringDelivery() {
        typealias Inner = AnyPublisher<Int, Never>
        let (outer, first, current) = (
            PassthroughSubject<Inner, Never>(), PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(0)
        )
        let (hot, recorded) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let replayed = recorded.share(replay: 2)
        let keeper = replayed.sink { _ in }
        let recorder = Recorder<Int, Never> { _, value in
            switch value {
            case 1:
                outer.send(current.eraseToAnyPublisher())
                current.send(2)
            case 2:
                outer.send(replayed.eraseToAnyPublisher())
                for value in [3, 4] { recorded.send(value) }
            case 4:
                outer.send(hot.eraseToAnyPublisher())
                // As documented, this value is lost.
                hot.send(5)
            default: break
            }
        }
        outer.switchToLatest().subscribe(recorder)
        outer.send(first.eraseToAnyPublisher())
        first.send(1)
        hot.send(6)
        expectEqual(recorder.values, [1, 2, 3, 4, 6])
        expectEqual(recorder.violations, [])
        keeper.cancel()
    }

    @Test("`flatMapLatest` finishes when the upstream and the latest publisher have finished", arguments: [false, true])
    func finishes(outerFirst: Bool) {
        let (outer, inner) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        outer.flatMapLatest { _ in inner }.subscribe(recorder)
        outer.send(1)
        (outerFirst ? outer : inner).send(completion: .finished)
        expectEqual(recorder.completions, [])
        (outerFirst ? inner : outer).send(completion: .finished)
        expect(recorder.isFinished)
    }

    @Test(
        "`flatMapLatest` passes on a failure of the upstream or of the latest publisher, and cancels the other",
        arguments: [false, true])
    func fails(outerFails: Bool) {
        let (outer, inner) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(.nothing)
        outer.flatMapLatest { _ in inner }.subscribe(recorder)
        outer.send(1)
        (outerFails ? outer : inner).send(completion: .failure(.second))
        expectEqual(recorder.failure, .second)
        expectEqual((outerFails ? inner : outer).cancellations, 1)
    }

    @Test("`switchToLatest` requests demand that one publisher has not served of the next, in one request")
    func carriesDemand() {
        let outer = PassthroughSubject<Int, Oops>()
        let inner = (0..<3).map { _ in Probe<Int, Oops>() }
        let recorder = Recorder<Int, Oops>(
            Appetite(description: "", atStart: [.max(3)], returned: [.max(2)], later: [.max(5)]))
        outer.flatMapLatest { inner[$0] }.subscribe(recorder)
        outer.send(0)
        expectEqual(inner[0].requests, [.max(3)])
        inner[0].send(1)
        inner[0].send(completion: .finished)
        recorder.requestLater()
        outer.send(1)
        expectEqual(inner[1].requests, [.max(9)])
        inner[1].send(2)
        outer.send(2)
        expectEqual(inner[2].requests, [.max(8)])
        expectEqual(recorder.violations, [])
    }

    @Test("`switchToLatest` requests demand that is returned while a publisher arrives of that publisher once")
    func askedDuringSwitch() {
        let outer = PassthroughSubject<Int, Oops>()
        let inner = (0..<2).map { _ in Probe<Int, Oops>() }
        let recorder = Recorder<Int, Oops>(
            Appetite(description: "", atStart: [.max(3)], returned: [.max(2)], inside: [0: .max(5)])
        ) { _, _ in
            outer.send(1)
        }
        outer.flatMapLatest { inner[$0] }.subscribe(recorder)
        outer.send(0)
        inner[0].send(1)
        expectEqual(inner[1].requests, [.max(9)])
        expectEqual(inner[0].requests, [.max(3)])
        recorder.cancel()
    }

    @Test(
        "`flatMapLatest` keeps a single ready value until it is requested, and replaces it by the latest one",
        arguments: [false, true])
    func readyValues(erased: Bool) {
        let outer = PassthroughSubject<Int, Never>()
        let recorder = Recorder<Int, Never>(Appetite(description: "", atStart: [.max(1)], later: [.max(1)]))
        if erased {
            outer.map { Just($0).eraseToAnyPublisher() }.switchToLatest().subscribe(recorder)
        } else {
            outer.flatMapLatest { Just($0) }.subscribe(recorder)
        }
        for value in 1...3 { outer.send(value) }
        expectEqual(recorder.values, [1])
        outer.send(completion: .finished)
        expectEqual(recorder.completions, [])
        recorder.requestLater()
        expectEqual(recorder.values, [1, 3])
        expect(recorder.isFinished)
    }

    @Test("`switchToLatest` accepts an upstream and inner publishers of which only some can fail")
    func neverFailing() {
        let (a, b, c) = (Recorder<Int, Oops>(), Recorder<Int, Oops>(), Recorder<Int, Never>())
        let safe:
            Publishers.SwitchToLatest<
                Publishers.Sequence<[Int], Oops>,
                Publishers.SetFailureType<Publishers.Map<Just<Int>, Publishers.Sequence<[Int], Oops>>, Oops>
            > = Just(1).map { OperatorCase.sequence([$0, 2]) }.switchToLatest()
        safe.subscribe(a)
        OperatorCase.sequence([1]).map { [$0, 2].publisher }.switchToLatest().subscribe(b)
        Just(1).map { [$0, 2].publisher }.switchToLatest().subscribe(c)
        expectEqual(a.values, [1, 2])
        expectEqual(b.values, [1, 2])
        expectEqual(c.values, [1, 2])
        expect(a.isFinished)
        expect(b.isFinished)
        expect(c.isFinished)
    }

    @Test("`switchToLatest` serves a publisher that is sent during a delivery after the ready values of the one before")
    func sentFromInside() {
        let outer = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops> { recorder, value in
            if value == 11 { outer.send(2) }
            if value == 22 { recorder.cancel() }
        }
        outer.flatMapLatest { OperatorCase.sequence([$0 * 10, $0 * 11, $0 * 12]) }.subscribe(recorder)
        outer.send(1)
        expectEqual(recorder.values, [10, 11, 12, 20, 22])
        expectEqual(recorder.violations, [])
    }

    @Test("`switchToLatest` releases a publisher that was replaced or has ended")
    func leftIsLetGo() {
        let outer = PassthroughSubject<Int, Oops>()
        let inner = (0..<2).map { _ in Probe<Int, Oops>() }
        let recorder = Recorder<Int, Oops>()
        outer.flatMapLatest { inner[$0] }.subscribe(recorder)
        outer.send(0)
        outer.send(1)
        expect(!inner[0].isSubscriptionAlive)
        expect(inner[1].isSubscriptionAlive)
        inner[1].send(completion: .finished)
        expect(!inner[1].isSubscriptionAlive)
    }

    @Test("`switchToLatest` releases an inner subscriber when its publisher was replaced or has ended")
    func subscribersAreLetGo() {
        let (outer, first, second) = (PassthroughSubject<Unheld, Never>(), Unheld(), Unheld())
        let recorder = Recorder<Int, Never>()
        outer.switchToLatest().subscribe(recorder)
        outer.send(first)
        expect(first.subscriber != nil)
        outer.send(second)
        expect(first.subscriber == nil)
        second.complete?()
        second.complete = nil
        expect(second.subscriber == nil)
        recorder.cancel()
    }

    /// A publisher that does not retain its subscriber.
    private final class Unheld: GrammaticalPublisher, @unchecked Sendable {
        // Sound: used by one thread.
        typealias Output = Int
        typealias Failure = Never
        weak var subscriber: AnyObject?
        var complete: (() -> Void)?

        func receive(subscriber: some Subscriber<Int, Never>) {
            let kept = subscriber as AnyObject
            self.subscriber = kept
            complete = { [weak kept] in (kept as? any Subscriber<Int, Never>)?.receive(completion: .finished) }
            subscriber.receive(subscription: Subscriptions.empty)
        }
    }

    @Test("`switchToLatest` uses constant stack for thousands of publishers, each sent during the delivery of the one before")
    func depth() {
        let outer = PassthroughSubject<Int, Never>()
        let last = Budget.size(100_000, quick: 30_000)
        var count = 0
        let cancellable = outer.flatMapLatest { [$0].publisher }.sink { value in
            count += 1
            if value < last { outer.send(value + 1) }
        }
        outer.send(1)
        expectEqual(count, last)
        cancellable.cancel()
    }
}
