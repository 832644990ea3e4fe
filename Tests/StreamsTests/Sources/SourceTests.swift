import MoonlightTestSupport
import Streams
import Testing

@Suite("Sources")
struct SourceTests {
    @Test("Just sends its value and finishes")
    func just() {
        #expect(recorded(Just("a")).values == ["a"])
        #expect(recorded(Just("a")).isFinished)
        #expect(Just(1) == Just(1))
        #expect(Just(1) != Just(2))
    }

    @Test("Just waits for demand")
    func justWaits() {
        let recorder = Recorder<Int, Never>(.nothing)
        Just(1).subscribe(recorder)
        #expect(recorder.values == [])
        #expect(recorder.completions == [])
        recorder.request(.max(1))
        #expect(recorder.values == [1])
        #expect(recorder.isFinished)
    }

    @Test("Empty finishes at once, or never")
    func empty() {
        #expect(recorded(Empty<Int, Oops>()).isFinished)
        let never = recorded(Empty<Int, Oops>(completeImmediately: false))
        #expect(never.isSubscribed)
        #expect(never.completions == [])
        #expect(recorded(Empty(outputType: Int.self, failureType: Oops.self)).isFinished)
        #expect(Empty<Int, Oops>() != Empty<Int, Oops>(completeImmediately: false))
    }

    @Test("Fail fails at once")
    func fail() {
        #expect(recorded(Fail<Int, Oops>(error: .second)).failure == .second)
        #expect(recorded(Fail(outputType: Int.self, failure: Oops.first)).failure == .first)
        #expect(Fail<Int, Oops>(error: .first) != Fail(error: .second))
    }

    @Test("Deferred makes a publisher for each subscriber, when it subscribes")
    func deferred() {
        let made = Log<Int>()
        let deferred = Deferred {
            made.append(0)
            return Just(made.items.count)
        }
        #expect(made.items.isEmpty)
        #expect(recorded(deferred).values == [1])
        #expect(recorded(deferred).values == [2])
    }

    @Test("a sequence is iterated anew for each subscriber")
    func sequence() {
        let publisher = stride(from: 0, to: 6, by: 2).publisher
        #expect(recorded(publisher).values == [0, 2, 4])
        #expect(recorded(publisher).values == [0, 2, 4])
        #expect([1].publisher == [1].publisher)
    }

    @Test("an endless sequence sends as much as is asked for")
    func endless() {
        let recorder = Recorder<Int, Never>(Appetite(description: "", atStart: [.max(3)]))
        (10...).publisher.subscribe(recorder)
        #expect(recorder.values == [10, 11, 12])
        recorder.cancel()
    }

    @Test("a future starts its work when it is made, not when it is subscribed to")
    func futureStarts() {
        var starts = 0
        let future = Future<Int, Oops> { promise in
            starts += 1
            promise(.success(starts))
        }
        #expect(starts == 1)
        #expect(recorded(future).values == [1])
        #expect(recorded(future).values == [1])
        #expect(starts == 1)
    }

    @Test("a future serves those who came before its result and those who come after")
    func futureServes() {
        let promises = Log<Future<Int, Oops>.Promise>()
        let future = Future<Int, Oops> { promises.append($0) }
        let (early, second) = (recorded(future), recorded(future))
        #expect(early.completions == [])
        promises.items[0](.success(5))
        promises.items[0](.success(6))
        promises.items[0](.failure(.first))
        for recorder in [early, second, recorded(future)] {
            #expect(recorder.values == [5])
            #expect(recorder.isFinished)
            #expect(recorder.violations == [])
        }
    }

    @Test("Future's subscription shows it in reflection, until the end")
    func futureReflection() {
        let promises = Log<Future<Int, Oops>.Promise>()
        let future = Future<Int, Oops> { promises.append($0) }
        var subscription: (any Subscription)?
        func parent() -> Any? { subscription.flatMap { Mirror(reflecting: $0).descendant("parent") } }
        var parentInside: Future<Int, Oops>?
        future.subscribe(
            AnySubscriber(
                receiveSubscription: {
                    subscription = $0
                    $0.request(.unlimited)
                },
                receiveValue: { _ in
                    parentInside = parent() as? Future<Int, Oops>
                    return .none
                }))
        #expect(parent() as? Future<Int, Oops> === future)
        promises.items[0](.success(1))
        #expect(parentInside === future)
        #expect(parent() != nil)
        #expect(parent() as? Future<Int, Oops> == nil)
    }

    @Test("a future sends its result once, though more is asked for from inside it, and then holds no subscription")
    func futureSendsOnce() {
        let promises = Log<Future<Int, Oops>.Promise>()
        let future = Future<Int, Oops> { promises.append($0) }
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], inside: [0: .max(1)]))
        future.subscribe(recorder)
        weak var held: AnyObject?
        future.subscribe(
            AnySubscriber<Int, Oops>(
                receiveSubscription: {
                    held = $0 as AnyObject
                    $0.request(.max(1))
                }))
        #expect(held != nil)
        promises.items[0](.success(5))
        #expect(recorder.values == [5])
        #expect(recorder.violations == [])
        #expect(held == nil)
        withExtendedLifetime(future) {}
    }

    @Test("a future that fails fails for everybody")
    func futureFails() {
        let promises = Log<Future<Int, Oops>.Promise>()
        let future = Future<Int, Oops> { promises.append($0) }
        let early = recorded(future)
        promises.items[0](.failure(.second))
        #expect(early.failure == .second)
        #expect(recorded(future).failure == .second)
    }

    @Test("subscribed to from inside a delivery, a future delivers to both in full")
    func futureReentrant() {
        let future = Future<Int, Oops> { $0(.success(3)) }
        let inner = Recorder<Int, Oops>()
        let outer = Recorder<Int, Oops> { _, _ in future.subscribe(inner) }
        future.subscribe(outer)
        #expect(outer.values == [3])
        #expect(outer.isFinished)
        #expect(inner.values == [3])
        #expect(inner.isFinished)
    }

    @Test("a thread that asks from inside a delivery goes on itself")
    func askedFromInside() {
        let here = currentThread()
        let others = Log<Int>()
        let recorder = Recorder<Int, Never>(.nothing) { recorder, value in
            if currentThread() != here { others.append(value) }
            recorder.request(.max(1))
        }
        (1...6).publisher.subscribe(recorder)
        recorder.request(.max(1))
        settle()
        #expect(recorder.values == [1, 2, 3, 4, 5, 6])
        #expect(recorder.isFinished)
        #expect(others.items == [])
    }

    @Test("after another thread has asked while values were sent, a thread that asks sends again what it asks for")
    func askedByTwoThreads() {
        let (isInside, hasAsked) = (Latch(), Latch())
        let senders = Log<Int>()
        let here = currentThread()
        let recorder = Recorder<Int, Never>(.nothing) { _, value in
            if value == 1 {
                isInside.open()
                hasAsked.wait()
            }
            if value > 2, currentThread() == here { senders.append(value) }
        }
        (1...6).publisher.subscribe(recorder)
        let first = Worker { recorder.request(.max(1)) }
        isInside.wait()
        recorder.request(.max(1))
        hasAsked.open()
        first.join()
        #expect(recorder.values == [1, 2])
        recorder.request(.max(2))
        settle()
        #expect(recorder.values == [1, 2, 3, 4])
        #expect(senders.items == [3, 4])
    }

    private func recorded<P: Publisher>(_ publisher: P) -> Recorder<P.Output, P.Failure> where P.Output: Sendable {
        let recorder = Recorder<P.Output, P.Failure>()
        publisher.subscribe(recorder)
        #expect(recorder.violations == [])
        return recorder
    }
}
