import MoonlightTestSupport
import Testing

@testable import Streams

/// The subscription to an upstream that sends nothing, and may have ended. It counts how often it is asked whether it has.
private final class Silent: SubscriptionCore, @unchecked Sendable {
    // Sound: the counter guards itself, and the rest is immutable.
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
    @Test("subscribe(_:) feeds a subject, its completion included, until it is cancelled", arguments: [false, true])
    func feeds(isCancelled: Bool) {
        let probe = Probe<Int, Oops>()
        let subject = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        let cancellable = probe.subscribe(subject)
        #expect(probe.requests == [.unlimited])
        probe.send(1)
        if isCancelled { cancellable.cancel() } else { probe.send(completion: .finished) }
        probe.send(2)
        #expect(recorder.values == [1])
        #expect(recorder.violations == [])
        #expect(recorder.isFinished == !isCancelled)
        #expect(probe.cancellations == (isCancelled ? 1 : 0))
        #expect(!probe.isSubscriptionAlive)
    }

    @Test("a subject that ends cancels all that feed it, whatever stands between")
    func manyUpstreams() {
        let subject = PassthroughSubject<Int, Oops>()
        let probes = (0..<3).map { _ in Probe<Int, Oops>() }
        let kept = [
            probes[0].handleEvents(receiveCancel: {}).subscribe(subject),
            probes[1].subscribe(subject),
            probes[2].map { $0 }.subscribe(subject),
        ]
        subject.send(completion: .finished)
        #expect(probes.map(\.cancellations) == [1, 1, 1])
        withExtendedLifetime(kept) {}
    }

    @Test("an upstream that is added to very many does not look at all of them")
    func veryManyUpstreams() {
        let (subject, questions) = (PassthroughSubject<Int, Oops>(), Counter())
        for _ in 0..<1000 { subject.send(subscription: Silent(questions)) }
        #expect(questions.value < 2000)
    }

    @Test("upstreams that have ended are let go of as others are added")
    func endedUpstreams() {
        let subject = PassthroughSubject<Int, Oops>()
        var held: [() -> Silent?] = []
        for _ in 0..<100 {
            let ended = Silent(Counter(), hasEnded: true)
            held.append { [weak ended] in ended }
            subject.send(subscription: ended)
        }
        #expect(held.compactMap { $0() }.count < 10)
        withExtendedLifetime(subject) {}
    }

    @Test("an upstream that has ended may add others when it is let go of")
    func addsWhenLetGo() {
        /// Has ended, and its end is user code.
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
        #expect(added.value > 0)
        subject.send(completion: .finished)
    }

    @Test("as a subscriber, a subject has one name, with and without a subscription")
    func names() {
        let subscriber = AnySubscriber(PassthroughSubject<Int, Oops>())
        #expect("\(subscriber)" == "Subject")
        Probe<Int, Oops>().subscribe(subscriber)
        #expect("\(subscriber)" == "Subject")
    }

    @Test("what breaks the grammar does not reach the subject")
    func guarded() {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let subject = CurrentValueSubject<Int, Oops>(0)
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        let cancellable = probe.subscribe(subject)
        probe.subscribeAgain()
        #expect(probe.cancellations == 1)
        probe.send(1)
        cancellable.cancel()
        probe.send(2)
        probe.send(completion: .finished)
        #expect(recorder.values == [0, 1])
        #expect(recorder.completions == [])
    }

    @Test("released, the cancellable cancels")
    func released() {
        let probe = Probe<Int, Oops>()
        let subject = CurrentValueSubject<Int, Oops>(0)
        do { _ = probe.subscribe(subject) }
        #expect(probe.cancellations == 1)
    }

    @Test("a subject that is fed is let go with the end of what feeds it, or the cancellable", arguments: [0, 1, 2])
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
        #expect(token == nil)
    }

    @Test("who keeps the subscription of a subject that is gone keeps the subscriber, until it is cancelled")
    func subscriberIsKept() {
        weak var token: Token?
        var subscription: (any Subscription)?
        do {
            let captured = Token()
            token = captured
            PassthroughSubject<Int, Never>().map { captured.pass($0) }.subscribe(
                AnySubscriber(receiveSubscription: { subscription = $0 }))
        }
        #expect(token != nil)
        subscription?.request(.unlimited)
        subscription?.cancel()
        #expect(token == nil)
    }

    @Test("a subscription describes and reflects itself, and asks for nothing after its end")
    func reflection() {
        let subject = CurrentValueSubject<Int, Oops>(1)
        let recorder = Recorder<Int, Oops>(Appetite(description: "3", atStart: [.max(3)]))
        subject.subscribe(recorder)
        func children() -> [String] { Mirror(reflecting: recorder.subscription).children.map { "\($0.value)" } }
        #expect(children()[2] == "max(2)")
        #expect(children()[0].contains("CurrentValueSubject"))
        recorder.cancel()
        recorder.subscription.request(.max(5))
        #expect(children() == ["nil", "nil", "max(2)", "nil"])
        var text = ""
        dump(subject, to: &text)
        dump(Just(1).sink { _ in }, to: &text)
        #expect(!text.isEmpty)
    }
}
