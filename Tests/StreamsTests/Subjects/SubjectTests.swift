import MoonlightTestSupport
import Streams
import Testing

@Suite("Subjects")
struct SubjectTests {
    @Test("A passthrough subject sends a new subscriber no earlier value")
    func passthrough() {
        let subject = PassthroughSubject<Int, Oops>()
        subject.send(1)
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        subject.send(2)
        expectEqual(recorder.values, [2])
    }

    @Test("A current value subject sends a new subscriber its current value first")
    func currentValue() {
        let subject = CurrentValueSubject<Int, Oops>(1)
        subject.value = 2
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        subject.value += 5
        subject.send(8)
        expectEqual(recorder.values, [2, 7, 8])
        expectEqual(subject.value, 8)
    }

    @Test("After the completion, `value` can be set but not sent, and no subscriber receives it")
    func afterTheEnd() {
        let subject = CurrentValueSubject<Int, Oops>(1)
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        subject.send(completion: .finished)
        subject.send(3)
        expectEqual(subject.value, 1)
        subject.value = 2
        expectEqual(subject.value, 2)
        expectEqual(recorder.values, [1])
    }

    @Test("A current value subject of optionals sends nil like any other value")
    func optional() {
        let subject = CurrentValueSubject<Int?, Never>(nil)
        var seen: [Int?] = []
        let cancellable = subject.sink { seen.append($0) }
        subject.value = 1
        subject.value = nil
        expectEqual(seen, [nil, 1, nil])
        cancellable.cancel()
    }

    @Test("A subject of `Void` sends without an argument")
    func void() {
        let subject = PassthroughSubject<Void, Never>()
        var count = 0
        let cancellable = subject.sink { count += 1 }
        subject.send()
        subject.send()
        expectEqual(count, 2)
        cancellable.cancel()
    }

    /// A subscriber that requests, and causes values to be sent, during `receive(subscription:)`.
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
            expectEqual(values, [], "nothing is delivered before the subscription has been taken")
        }
        func receive(_ input: Int) -> Subscribers.Demand {
            values.append(input)
            return .none
        }
        func receive(completion: Subscribers.Completion<Never>) {}
    }

    @Test(
        "Values that are sent during a subscription follow the current one, as far as requested; the last one remains pending",
        arguments: 0...4, 0...3)
    func sentWhileJoining(demand: Int, count: Int) {
        let subject = CurrentValueSubject<Int, Never>(0)
        let eager = Eager(demand: demand) { for number in 0..<count { subject.send(number + 1) } }
        subject.subscribe(eager)
        var expected = Array((0...count).prefix(demand))
        expectEqual(eager.values, expected)
        if demand <= count { expected.append(count) }
        eager.subscription?.request(.max(1))
        expectEqual(eager.values, expected)
        subject.send(10)
        expectEqual(eager.values, expected + (demand <= count ? [] : [10]))
        eager.subscription?.request(.max(1))
        expectEqual(eager.values, expected + [10])
    }

    @Test(
        "A passthrough subject keeps no value that was sent while a subscriber received its subscription", arguments: 0...4, 0...3
    )
    func sentWhileJoiningPassthrough(demand: Int, count: Int) {
        let subject = PassthroughSubject<Int, Never>()
        let eager = Eager(demand: demand) { for number in 0..<count { subject.send(number + 1) } }
        subject.subscribe(eager)
        let expected = Array((1..<(count + 1)).prefix(demand))
        expectEqual(eager.values, expected)
        eager.subscription?.request(.max(1))
        expectEqual(eager.values, expected)
        subject.send(10)
        expectEqual(eager.values, expected + [10])
    }

    @Test("A subscriber that cancels while it receives its subscription is released at once", arguments: [false, true])
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
        expect(token == nil)
        subject.send(1)
    }

    private final class Held: @unchecked Sendable {
        // Sound: used by one thread.
        var subscription: (any Subscription)?
    }

    /// An object that sends to a subject when it is released.
    private final class LastWord: Sendable {
        let subject: AnySubject
        init(_ subject: AnySubject) { self.subject = subject }
        deinit { subject.send(7) }
    }

    @Test(
        "A value that is sent while a cancelled subscriber is released reaches the other subscribers", arguments: [false, true],
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
        expect(recorder.values == (keepsCurrent ? [0, 7] : [7]))
        subject.send(8)
        expectEqual(recorder.values.last, 8)
    }

    @Test("A subscriber with a pending current value receives it on request, even if the subject has been released")
    func owedByOneThatIsGone() {
        var subject: CurrentValueSubject<Int, Never>? = CurrentValueSubject(1)
        let recorder = Recorder<Int, Never>(.nothing)
        subject?.subscribe(recorder)
        subject?.send(2)
        subject = nil
        expectEqual(recorder.values, [])
        recorder.request(.max(1))
        expectEqual(recorder.values, [2])
    }

    @Test("A released subject retains neither a subscriber that has cancelled without its current value, nor that value")
    func cancelledWithoutValue() {
        weak var value: Token?
        let other = Recorder<Token, Never>()
        do {
            let token = Token()
            value = token
            let subject = CurrentValueSubject<Token, Never>(token)
            subject.dropFirst().subscribe(other)
            let cancelled = Recorder<Token, Never>(.nothing)
            subject.subscribe(cancelled)
            cancelled.cancel()
        }
        other.cancel()
        expect(value == nil)
    }

    /// An object that runs a closure when it is released.
    private final class AtLast {
        let act: () -> Void
        init(_ act: @escaping () -> Void) { self.act = act }
        deinit { act() }
    }

    @Test(
        "A request that is made while another subscriber is released is served, on cancellation and on the subject's release")
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
            expectEqual(other.values, [])
            if isCancelled { sink?.cancel() } else { subject = nil }
            sink = nil
            expectEqual(other.values, [1])
        }
    }

    @Test(
        "A pending value of a new subscriber arrives before one that another thread sends meanwhile")
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
                    // It sends while this subscriber receives its subscription, and is then blocked by the other one.
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
        expectEqual(values.items, [0])
        owed.subscription?.request(.max(1))
        expectEqual(values.items, [0, 1])
    }

    @Test("A subject cancels its upstreams when it is released")
    func releaseCancelsUpstream() {
        let probe = Probe<Int, Oops>()
        do {
            let subject = PassthroughSubject<Int, Oops>()
            subject.send(subscription: ProbeSubscription(probe))
        }
        expectEqual(probe.cancellations, 1)
    }

    @Test("A subject that has completed releases its upstreams", arguments: [false, true])
    func endLetsGoOfUpstream(endsItself: Bool) {
        let probe = Probe<Int, Oops>()
        let subject = CurrentValueSubject<Int, Oops>(0)
        probe.subscribe(AnySubscriber(subject))
        expect(probe.isSubscriptionAlive)
        if endsItself { subject.send(completion: .finished) } else { probe.send(completion: .finished) }
        expect(!probe.isSubscriptionAlive)
    }

    @Test("A subject that has completed cancels an upstream that arrives later, and requests nothing of it")
    func upstreamAfterTheEnd() {
        let probe = Probe<Int, Oops>()
        let subject = CurrentValueSubject<Int, Oops>(0)
        subject.send(completion: .finished)
        subject.send(subscription: ProbeSubscription(probe))
        expectEqual(probe.cancellations, 1)
        expectEqual(probe.requests, [])
    }

    @Test("A subject requests from its upstream once, at its first subscriber's first request")
    func upstreamDemand() {
        let probe = Probe<Int, Oops>()
        let subject = PassthroughSubject<Int, Oops>()
        subject.send(subscription: ProbeSubscription(probe))
        expectEqual(probe.requests, [])
        subject.subscribe(Recorder<Int, Oops>(.nothing))
        expectEqual(probe.requests, [])
        subject.subscribe(Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2)])))
        subject.subscribe(Recorder<Int, Oops>())
        expectEqual(probe.requests, [.unlimited])
    }

    @Test("A subject that is released releases its subscribers without a completion", arguments: [false, true])
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
        expect(token == nil)
        expectEqual(events.items, [])
    }

    @Test(
        "A subscriber that is cancelled while another one is released with the subject is also released",
        arguments: [false, true])
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
        expect(token == nil)
        withExtendedLifetime(first) {}
    }

    @Test("A subscription of a released subject accepts requests and cancellation")
    func subscriptionOutlivesSubject() {
        let recorder = Recorder<Int, Oops>(.nothing)
        do { CurrentValueSubject<Int, Oops>(3).subscribe(recorder) }
        recorder.request(.max(1))
        expectEqual(recorder.values, [3])
        recorder.cancel()
        expectEqual(recorder.violations, [])
    }

    @Test("A cancelled subscription that is retained keeps none of the subject's values")
    func valuesAreLetGo() {
        weak var token: Token?
        let recorder = Recorder<Token, Never>(.nothing)
        do {
            let value = Token()
            token = value
            CurrentValueSubject<Token, Never>(value).subscribe(recorder)
        }
        recorder.cancel()
        expect(token == nil)
    }

    @Test("A subscription of a released subject without a pending value keeps none of the subject's values")
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
        expect(token == nil)
        withExtendedLifetime(subscription) {}
    }

    @Test("A request for a pending value during the delivery of the next one to another subscriber receives the next one, once")
    func owedDuringDelivery() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let late = Recorder<Int, Never>(.nothing)
        let first = Recorder<Int, Never> { _, value in if value == 2 { late.request(.max(1)) } }
        subject.subscribe(first)
        subject.subscribe(late)
        for value in 1...2 { subject.send(value) }
        expectEqual(late.values, [2])
        late.request(.max(1))
        expectEqual(late.values, [2])
        subject.send(3)
        expectEqual(late.values, [2, 3])
        expectEqual(late.violations, [])
    }

    @Test("A subscriber with a pending value receives the one that was sent last, even during a delivery")
    func owedLast() {
        let subject = CurrentValueSubject<Int, Oops>(0)
        let late = Recorder<Int, Oops>(.nothing)
        subject.subscribe(late)
        let sink = subject.sink(receiveCompletion: { _ in }, receiveValue: { if $0 == 1 { subject.send(2) } })
        subject.send(1)
        late.request(.max(1))
        expectEqual(late.values, [2])
        sink.cancel()
    }
}
