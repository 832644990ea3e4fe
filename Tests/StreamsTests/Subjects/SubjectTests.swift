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
        #expect(probe.cancellations == 1 && probe.requests == [])
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
}
