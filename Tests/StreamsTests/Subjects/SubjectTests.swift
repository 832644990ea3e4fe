import MoonlightTestSupport
import Streams
import Testing

@Suite("Subjects")
struct SubjectTests {
    @Test("a passthrough subject has no memory")
    func passthrough() {
        let subject = PassthroughSubject<Int, Oops>()
        subject.send(1)
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        subject.send(2)
        #expect(recorder.values == [2])
    }

    @Test("a current value subject gives its value first")
    func currentValue() {
        let subject = CurrentValueSubject<Int, Oops>(1)
        subject.value = 2
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        subject.value += 5
        subject.send(8)
        #expect(recorder.values == [2, 7, 8])
        #expect(subject.value == 8)
    }

    @Test("the current value is not changed by sending after the end, but by setting it; nobody is told")
    func afterTheEnd() {
        let subject = CurrentValueSubject<Int, Oops>(1)
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        subject.send(completion: .finished)
        subject.send(3)
        #expect(subject.value == 1)
        subject.value = 2
        #expect(subject.value == 2)
        #expect(recorder.values == [1])
    }

    @Test("an optional is a value like any other, also nil")
    func optional() {
        let subject = CurrentValueSubject<Int?, Never>(nil)
        var seen: [Int?] = []
        let cancellable = subject.sink { seen.append($0) }
        subject.value = 1
        subject.value = nil
        #expect(seen == [nil, 1, nil])
        cancellable.cancel()
    }

    @Test("a subject of nothing is sent without an argument")
    func void() {
        let subject = PassthroughSubject<Void, Never>()
        var count = 0
        let cancellable = subject.sink { count += 1 }
        subject.send()
        subject.send()
        #expect(count == 2)
        cancellable.cancel()
    }

    /// Asks, and has values sent, from inside `receive(subscription:)`.
    private final class Eager: Subscriber {
        let demand: Int
        let send: () -> Void
        var values: [Int] = []
        var subscription: (any Subscription)?

        init(demand: Int, send: @escaping () -> Void) {
            self.demand = demand
            self.send = send
        }

        func receive(subscription: any Subscription) {
            self.subscription = subscription
            if demand > 0 { subscription.request(.max(demand)) }
            send()
            #expect(values == [], "nothing is delivered before the subscription has been taken")
        }
        func receive(_ input: Int) -> Subscribers.Demand {
            values.append(input)
            return .none
        }
        func receive(completion: Subscribers.Completion<Never>) {}
    }

    @Test(
        "values that are sent while a subscriber takes its subscription come after the current one, as far as it asks; the last is owed",
        arguments: 0...4, 0...3)
    func sentWhileJoining(demand: Int, count: Int) {
        let subject = CurrentValueSubject<Int, Never>(0)
        let eager = Eager(demand: demand) { for number in 0..<count { subject.send(number + 1) } }
        subject.subscribe(eager)
        var expected = Array((0...count).prefix(demand))
        #expect(eager.values == expected)
        if demand <= count { expected.append(count) }
        eager.subscription?.request(.max(1))
        #expect(eager.values == expected)
        subject.send(10)
        #expect(eager.values == expected + (demand <= count ? [] : [10]))
        eager.subscription?.request(.max(1))
        #expect(eager.values == expected + [10])
    }

    @Test("a passthrough subject owes nothing of what was sent while a subscriber took its subscription", arguments: 0...4, 0...3)
    func sentWhileJoiningPassthrough(demand: Int, count: Int) {
        let subject = PassthroughSubject<Int, Never>()
        let eager = Eager(demand: demand) { for number in 0..<count { subject.send(number + 1) } }
        subject.subscribe(eager)
        let expected = Array((1..<(count + 1)).prefix(demand))
        #expect(eager.values == expected)
        eager.subscription?.request(.max(1))
        #expect(eager.values == expected)
        subject.send(10)
        #expect(eager.values == expected + [10])
    }

    @Test("a subscriber that cancels while it takes its subscription is let go of at once", arguments: [false, true])
    func cancelledWhileJoining(keepsCurrent: Bool) {
        let subject = AnySubject(keepsCurrent: keepsCurrent)
        weak var token: Token?
        do {
            let held = Token()
            token = held
            subject.publisher.subscribe(
                AnySubscriber(
                    receiveSubscription: { $0.cancel() },
                    receiveValue: { _ in
                        _ = held
                        return .none
                    }))
        }
        #expect(token == nil)
        subject.send(1)
    }

    private final class Held: @unchecked Sendable {
        // Sound: one thread uses it.
        var subscription: (any Subscription)?
    }

    /// Sends to a subject when it is released.
    private final class LastWord: Sendable {
        let subject: AnySubject
        init(_ subject: AnySubject) { self.subject = subject }
        deinit { subject.send(7) }
    }

    @Test(
        "what is sent when a subscriber is let go of that has cancelled reaches the others", arguments: [false, true],
        [false, true])
    func lastWord(keepsCurrent: Bool, isEarly: Bool) {
        let (subject, recorder) = (AnySubject(keepsCurrent: keepsCurrent), Recorder<Int, Oops>())
        subject.publisher.subscribe(recorder)
        do {
            let (word, held) = (LastWord(subject), Held())
            subject.publisher.subscribe(
                AnySubscriber<Int, Oops>(
                    receiveSubscription: { subscription in
                        if isEarly { subscription.cancel() } else { held.subscription = subscription }
                        withExtendedLifetime(word) {}
                    }))
            held.subscription?.cancel()
        }
        #expect(recorder.values == (keepsCurrent ? [0, 7] : [7]))
        subject.send(8)
        #expect(recorder.values.last == 8)
    }

    @Test("a subscriber that is owed the current value gets it on request, though the subject has been released meanwhile")
    func owedByOneThatIsGone() {
        var subject: CurrentValueSubject<Int, Never>? = CurrentValueSubject(1)
        let recorder = Recorder<Int, Never>(.nothing)
        subject?.subscribe(recorder)
        subject?.send(2)
        subject = nil
        #expect(recorder.values == [])
        recorder.request(.max(1))
        #expect(recorder.values == [2])
    }

    /// Does something when it is released.
    private final class AtLast {
        let act: () -> Void
        init(_ act: @escaping () -> Void) { self.act = act }
        deinit { act() }
    }

    @Test(
        "what the release of one subscriber asks for another is done, be it released by its cancellation or by the subject's end")
    func askedDuringRelease() {
        for isCancelled in [true, false] {
            var subject: CurrentValueSubject<Int, Never>? = CurrentValueSubject(1)
            let other = Recorder<Int, Never>(.nothing)
            subject?.subscribe(other)
            var sink: AnyCancellable?
            do {
                let last = AtLast { other.request(.max(1)) }
                sink = subject?.sink { _ in withExtendedLifetime(last) {} }
            }
            #expect(other.values == [])
            if isCancelled { sink?.cancel() } else { subject = nil }
            sink = nil
            #expect(other.values == [1])
        }
    }

    @Test(
        "a value that a subscriber is owed while it takes its subscription comes before one that another thread sends meanwhile")
    func owedBeforeOtherThreads() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let (isBusy, mayGoOn) = (Latch(), Latch())
        let owed = Held()
        let values = Log<Int>()
        let worker = Lock<Worker?>(nil)
        let other = Recorder<Int, Never> { _, value in
            guard value == 1 else { return }
            isBusy.open()
            mayGoOn.wait()
        }
        subject.subscribe(
            AnySubscriber<Int, Never>(
                receiveSubscription: { subscription in
                    owed.subscription = subscription
                    subject.subscribe(other)
                    // It sends while this subscriber takes its subscription, and is then held up by the other one.
                    worker.withLock { $0 = Worker { subject.send(1) } }
                    isBusy.wait()
                },
                receiveValue: {
                    values.append($0)
                    return .none
                }))
        owed.subscription?.request(.max(1))
        mayGoOn.open()
        worker.withLock { $0 }?.join()
        #expect(values.items == [0])
        owed.subscription?.request(.max(1))
        #expect(values.items == [0, 1])
    }

    @Test("a subject cancels its upstreams when it is released")
    func releaseCancelsUpstream() {
        let probe = Probe<Int, Oops>()
        do {
            let subject = PassthroughSubject<Int, Oops>()
            subject.send(subscription: ProbeSubscription(probe))
        }
        #expect(probe.cancellations == 1)
    }

    @Test("a subject that has ended holds its upstreams no longer", arguments: [false, true])
    func endLetsGoOfUpstream(endsItself: Bool) {
        let probe = Probe<Int, Oops>()
        let subject = CurrentValueSubject<Int, Oops>(0)
        probe.subscribe(AnySubscriber(subject))
        #expect(probe.isSubscriptionAlive)
        if endsItself { subject.send(completion: .finished) } else { probe.send(completion: .finished) }
        #expect(!probe.isSubscriptionAlive)
    }

    @Test("a subject that has ended cancels an upstream that comes later, and asks it for nothing")
    func upstreamAfterTheEnd() {
        let probe = Probe<Int, Oops>()
        let subject = CurrentValueSubject<Int, Oops>(0)
        subject.send(completion: .finished)
        subject.send(subscription: ProbeSubscription(probe))
        #expect(probe.cancellations == 1)
        #expect(probe.requests == [])
    }

    @Test("an upstream that asks late is asked when the first subscriber asks, once")
    func upstreamDemand() {
        let probe = Probe<Int, Oops>()
        let subject = PassthroughSubject<Int, Oops>()
        subject.send(subscription: ProbeSubscription(probe))
        #expect(probe.requests == [])
        subject.subscribe(Recorder<Int, Oops>(.nothing))
        #expect(probe.requests == [])
        subject.subscribe(Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2)])))
        subject.subscribe(Recorder<Int, Oops>())
        #expect(probe.requests == [.unlimited])
    }

    @Test("a subject that is released lets go of its subscribers, without an end", arguments: [false, true])
    func release(keepsCurrent: Bool) {
        let events = Log<String>()
        weak var token: Token?
        do {
            let captured = Token()
            token = captured
            let subject = AnySubject(keepsCurrent: keepsCurrent)
            subject.publisher.subscribe(
                AnySubscriber(
                    receiveSubscription: { captured.pass($0).request(.unlimited) },
                    receiveCompletion: { events.append("\($0)") }))
            subject.send(1)
        }
        #expect(token == nil)
        #expect(events.items == [])
    }

    @Test("a subscriber that is cancelled as another is let go of with the subject is let go of, too", arguments: [false, true])
    func releaseCancels(keepsCurrent: Bool) {
        weak var token: Token?
        var first: (any Subscription)?
        do {
            let captured = Token()
            token = captured
            let subject = AnySubject(keepsCurrent: keepsCurrent)
            subject.publisher.subscribe(
                AnySubscriber(
                    receiveSubscription: {
                        first = captured.pass($0)
                        $0.request(.unlimited)
                    }))
            let other = first.map { AnyCancellable($0) }
            subject.publisher.subscribe(
                AnySubscriber(receiveSubscription: { subscription in
                    withExtendedLifetime(other) { subscription.request(.unlimited) }
                }))
        }
        #expect(token == nil)
        withExtendedLifetime(first) {}
    }

    @Test("who keeps the subscription of a subject that is gone may still ask and cancel")
    func subscriptionOutlivesSubject() {
        let recorder = Recorder<Int, Oops>(.nothing)
        do { CurrentValueSubject<Int, Oops>(3).subscribe(recorder) }
        recorder.request(.max(1))
        #expect(recorder.values == [3])
        recorder.cancel()
        #expect(recorder.violations == [])
    }

    @Test("a cancelled subscription that is kept keeps none of the subject's values")
    func valuesAreLetGo() {
        weak var token: Token?
        let recorder = Recorder<Token, Never>(.nothing)
        do {
            let value = Token()
            token = value
            CurrentValueSubject<Token, Never>(value).subscribe(recorder)
        }
        recorder.cancel()
        #expect(token == nil)
    }

    @Test("who is owed nothing, and keeps the subscription of a subject that is gone, keeps none of its values")
    func valuesAreLetGoWithTheSubject() {
        weak var token: Token?
        var subscription: (any Subscription)?
        do {
            let value = Token()
            token = value
            CurrentValueSubject<Token, Never>(value).subscribe(
                AnySubscriber(receiveSubscription: {
                    subscription = $0
                    $0.request(.unlimited)
                }))
        }
        #expect(token == nil)
        withExtendedLifetime(subscription) {}
    }

    @Test("what a subscriber is owed and asks for while the next value is delivered to another it gets once, as the next value")
    func owedDuringDelivery() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let late = Recorder<Int, Never>(.nothing)
        let first = Recorder<Int, Never> { _, value in if value == 2 { late.request(.max(1)) } }
        subject.subscribe(first)
        subject.subscribe(late)
        for value in 1...2 { subject.send(value) }
        #expect(late.values == [2])
        late.request(.max(1))
        #expect(late.values == [2])
        subject.send(3)
        #expect(late.values == [2, 3])
        #expect(late.violations == [])
    }

    @Test("a subscriber that is owed the current value gets the one that was sent last, also from inside a delivery")
    func owedLast() {
        let subject = CurrentValueSubject<Int, Oops>(0)
        let late = Recorder<Int, Oops>(.nothing)
        subject.subscribe(late)
        let sink = subject.sink(receiveCompletion: { _ in }, receiveValue: { if $0 == 1 { subject.send(2) } })
        subject.send(1)
        late.request(.max(1))
        #expect(late.values == [2])
        sink.cancel()
    }
}
