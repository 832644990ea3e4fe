import MoonlightTestSupport
import Testing

@testable import Streams

/// The subscription to an upstream that sends nothing, and may have ended. It counts the calls that ask for that.
private final class Silent: SubscriptionCore, @unchecked Sendable {
    // Sound: the counter is thread-safe, and the rest is immutable.
    private let (questions, hasEnded): (Counter, Bool)
    init(_ questions: Counter, hasEnded: Bool = false) {
        self.questions = questions
        self.hasEnded = hasEnded
    }
    override func request(_ demand: Subscribers.Demand) {}
    override func cancel() {}
    override var isSpent: Bool {
        questions.add()
        return hasEnded
    }
}

@Suite("A subject as a subscriber")
struct SubjectSubscriberTests {
    @Test(
        "`subscribe(_:)` sends a publisher's events to a subject, including its completion, until it is cancelled",
        arguments: [false, true])
    func feeds(isCancelled: Bool) {
        let probe = Probe<Int, Oops>()
        let subject = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        let cancellable = probe.subscribe(subject)
        expectEqual(probe.requests, [.unlimited])
        probe.send(1)
        if isCancelled { cancellable.cancel() } else { probe.send(completion: .finished) }
        probe.send(2)
        expectEqual(recorder.values, [1])
        expectEqual(recorder.violations, [])
        expectEqual(recorder.isFinished, !isCancelled)
        expect(probe.cancellations == (isCancelled ? 1 : 0))
        expect(!probe.isSubscriptionAlive)
    }

    @Test("A subject that completes cancels all its upstreams, through any operators")
    func manyUpstreams() {
        let subject = PassthroughSubject<Int, Oops>()
        let probes = (0..<3).map { _ in Probe<Int, Oops>() }
        let kept = [
            probes[0].handleEvents(receiveCancel: {}).subscribe(subject),
            probes[1].subscribe(subject),
            probes[2].map { $0 }.subscribe(subject),
        ]
        subject.send(completion: .finished)
        expectEqual(probes.map(\.cancellations), [1, 1, 1])
        withExtendedLifetime(kept) {}
    }

    @Test("A subject with many upstreams does not check all of them when another is added")
    func veryManyUpstreams() {
        let (subject, questions) = (PassthroughSubject<Int, Oops>(), Counter())
        for _ in 0..<1000 { subject.send(subscription: Silent(questions)) }
        expect(questions.value < 2000)
    }

    @Test("A subject releases upstreams that have ended as others are added")
    func endedUpstreams() {
        let subject = PassthroughSubject<Int, Oops>()
        var held: [() -> Silent?] = []
        for _ in 0..<100 {
            let ended = Silent(Counter(), hasEnded: true)
            held.append { [weak ended] in ended }
            subject.send(subscription: ended)
        }
        expect(held.compactMap { $0() }.count < 10)
        withExtendedLifetime(subject) {}
    }

    @Test("An upstream that has ended can add others to the subject when it is released")
    func addsWhenLetGo() {
        /// A subscription that has ended, and whose release is user code.
        final class Leaving: SubscriptionCore, @unchecked Sendable {
            // Sound: it is immutable.
            private let whenLetGo: @Sendable () -> Void
            init(_ whenLetGo: @escaping @Sendable () -> Void) { self.whenLetGo = whenLetGo }
            deinit { whenLetGo() }
            override func request(_ demand: Subscribers.Demand) {}
            override func cancel() {}
            override var isSpent: Bool { true }
        }
        let (subject, added) = (PassthroughSubject<Int, Oops>(), Counter())
        for _ in 0..<10 {
            let leaving = Leaving { [weak subject] in
                added.add()
                subject?.send(subscription: Silent(Counter()))
            }
            subject.send(subscription: leaving)
        }
        expect(added.value > 0)
        subject.send(completion: .finished)
    }

    @Test("A subject as a subscriber has the same description with and without a subscription")
    func names() {
        let subscriber = AnySubscriber(PassthroughSubject<Int, Oops>())
        expectEqual("\(subscriber)", "Subject")
        Probe<Int, Oops>().subscribe(subscriber)
        expectEqual("\(subscriber)", "Subject")
    }

    @Test("A subject drops events of an upstream that violate the grammar")
    func guarded() {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let subject = CurrentValueSubject<Int, Oops>(0)
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        let cancellable = probe.subscribe(subject)
        probe.subscribeAgain()
        expectEqual(probe.cancellations, 1)
        probe.send(1)
        cancellable.cancel()
        probe.send(2)
        probe.send(completion: .finished)
        expectEqual(recorder.values, [0, 1])
        expectEqual(recorder.completions, [])
    }

    @Test("The cancellable of `subscribe(_:)` cancels the upstream when it is released")
    func released() {
        let probe = Probe<Int, Oops>()
        let subject = CurrentValueSubject<Int, Oops>(0)
        do { _ = probe.subscribe(subject) }
        expectEqual(probe.cancellations, 1)
    }

    @Test("A subject with an upstream is released when the upstream ends, or with the cancellable", arguments: [0, 1, 2])
    func letGo(way: Int) {
        weak var token: Token?
        let source = PassthroughSubject<Token, Never>()
        do {
            let value = Token()
            token = value
            let fed = CurrentValueSubject<Token, Never>(value)
            if way == 0 { source.subscribe(AnySubscriber(fed)) } else { _ = source.subscribe(fed) }
            if way == 2 { source.subscribe(fed).cancel() }
        }
        if way == 0 { source.send(completion: .finished) }
        expect(token == nil)
    }

    @Test("A subscription of a released subject retains its subscriber until it is cancelled")
    func subscriberIsKept() {
        weak var token: Token?
        var subscription: (any Subscription)?
        do {
            let captured = Token()
            token = captured
            PassthroughSubject<Int, Never>().map { captured.pass($0) }.subscribe(
                AnySubscriber(receiveSubscription: { subscription = $0 }))
        }
        expect(token != nil)
        subscription?.request(.unlimited)
        subscription?.cancel()
        expect(token == nil)
    }

    @Test("A subject's subscription describes and reflects itself, and ignores demand after its end")
    func reflection() {
        let subject = CurrentValueSubject<Int, Oops>(1)
        let recorder = Recorder<Int, Oops>(Appetite(description: "3", atStart: [.max(3)]))
        subject.subscribe(recorder)
        func children() -> [String] { Mirror(reflecting: recorder.subscription).children.map { "\($0.value)" } }
        expectEqual(children()[2], "max(2)")
        expect(children()[0].contains("CurrentValueSubject"))
        recorder.cancel()
        recorder.subscription.request(.max(5))
        expectEqual(children(), ["nil", "nil", "max(2)", "nil"])
        var text = ""
        dump(subject, to: &text)
        dump(Just(1).sink { _ in }, to: &text)
        expect(!text.isEmpty)
    }
}
