import MoonlightTestSupport
import Streams
import Testing

extension FlatMapTests {
    /// The source of a value during whose delivery another one is requested.
    enum Delivery: CaseIterable { case value, sequence, interruptedSequence, publisher, unreadyPublisher }

    @Test("`flatMap` does not pass on demand that is returned after an unlimited request", arguments: Delivery.allCases)
    func noDemandBesides(delivery: Delivery) {
        let (outer, waiting, ending) = (Probe<Int, Oops>(), Probe<Int, Oops>(), Probe<Int, Oops>())
        let other = PassthroughSubject<Int, Oops>()
        let appetite = Appetite(description: "", atStart: [.unlimited], returned: [.max(1), .max(1)])
        let recorder = Recorder<Int, Oops>(appetite) { _, _ in
            if delivery == .interruptedSequence { ending.send(completion: .finished) }
        }
        outer.flatMap { element -> Ints in
            switch (element, delivery) {
            case (0, _): waiting.eraseToAnyPublisher()
            case (1, _): ending.eraseToAnyPublisher()
            case (_, .value): Just(10).setFailureType(to: Oops.self).eraseToAnyPublisher()
            case (_, .sequence), (_, .interruptedSequence): OperatorCase.sequence([10, 11]).eraseToAnyPublisher()
            case (_, .publisher): other.eraseToAnyPublisher()
            case (_, .unreadyPublisher): OperatorCase.sequence([10, 11]).handleEvents().eraseToAnyPublisher()
            }
        }.subscribe(recorder)
        for element in 0...2 { outer.send(element) }
        other.send(12)
        expectEqual(recorder.values.isEmpty, false)
        expectEqual(waiting.requests, [.unlimited])
        expectEqual(recorder.violations, [])
    }

    @Test("An inner publisher of `flatMap` that ends after the last element does not raise the demand on the others")
    func noElementsLeft() {
        let (outer, inner) = (Probe<Int, Oops>(), (0..<2).map { _ in Probe<Int, Oops>() })
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2)])) { _, _ in
            outer.send(1)
            outer.send(completion: .finished)
        }
        outer.flatMap(maxPublishers: .max(2)) { inner[$0] }.subscribe(recorder)
        outer.send(0)
        inner[0].send(10)
        inner[0].send(completion: .finished)
        expectEqual(recorder.values, [10])
        expectEqual(inner[1].demand, .max(1))
        inner[1].send(completion: .finished)
        expect(recorder.isFinished)
    }

    @Test("`flatMap` does not subscribe to pending publishers after a cancellation, and releases them")
    func cancelledBefore() {
        let (outer, first) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let recorder = MoonlightTestSupport.Recorder<Int>()
        weak var token: Token?
        do {
            let held = Token()
            token = held
            let (begun, keeper) = (Counter(), Keeper())
            let cancellable = outer.flatMap { [held] element -> AnyPublisher<Int, Never> in
                if element == 0 { return first.eraseToAnyPublisher() }
                return Deferred {
                    begun.add()
                    return Just(held.pass(element))
                }.eraseToAnyPublisher()
            }.sink { value in
                recorder.append(value)
                for element in 1...3 { outer.send(element) }
                keeper.cancel()
            }
            keeper.keep(cancellable)
            outer.send(0)
            first.send(10)
            expectEqual(recorder.all, [10])
            expectEqual(begun.value, 0)
            keeper.drop()
        }
        expect(token == nil)
    }

    /// A publisher that the test completes, and that knows whether its subscriber is alive.
    private final class Watching: Publisher, @unchecked Sendable {
        // Sound: used by one thread.
        typealias Output = Int
        typealias Failure = Never
        private var finish: (() -> Void)?
        private(set) weak var subscriber: AnyObject?

        func receive<S: Subscriber<Int, Never>>(subscriber: S) {
            self.subscriber = subscriber as AnyObject
            subscriber.receive(subscription: Subscriptions.empty)
            finish = { subscriber.receive(completion: .finished) }
        }

        func end() { finish.take()?() }
        func letGo() { finish = nil }
    }

    @Test("`flatMap` releases an inner subscriber when its publisher ends while others run, and all after a cancellation")
    func forgetsTheEnded() {
        let (outer, inner) = (PassthroughSubject<Int, Never>(), [Watching(), Watching()])
        let recorder = Recorder<Int, Never>()
        outer.flatMap { inner[$0] }.subscribe(recorder)
        for element in 0...1 { outer.send(element) }
        expectEqual(inner.map { $0.subscriber != nil }, [true, true])
        inner[0].end()
        expectEqual(inner.map { $0.subscriber != nil }, [false, true])
        // The subscription is retained, but retains nothing.
        recorder.cancel()
        inner[1].letGo()
        expect(inner[1].subscriber == nil)
        let merged = [Watching(), Watching()]
        Publishers.MergeMany(merged).subscribe(Recorder<Int, Never>())
        merged[1].end()
        expectEqual(merged.map { $0.subscriber != nil }, [true, false])
    }
}
