import Streams
import Testing

@Suite("The stream of a loop's states, driven by hand")
struct DrivenSubjectTests {
    /// Takes each step at once.
    private func drive<Output>(_ subject: DrivenSubject<Output>) {
        subject.drive(by: Token()) { _, member, step, _ in member.takeFromDriver(step) }
    }

    @Test("the last value is let go of when the last subscriber that was owed it has it, though the subscription is kept")
    func lastValue() {
        let log = Log<String>()
        let held = Log<Carrier<any Subscription>>()
        weak var last: Token?
        do {
            let value = Token()
            last = value
            let subject = DrivenSubject(value, companion: Token()) { $0.attach($1) }
            drive(subject)
            subject.release()
            for name in ["first", "second"] {
                subject.publisher.subscribe(
                    AnySubscriber(
                        receiveSubscription: { held.append(Carrier($0)) },
                        receiveValue: { _ in
                            log.append("\(name): value")
                            return .none
                        }, receiveCompletion: { _ in log.append("\(name): end") }))
            }
            subject.finish(isPatient: true)
        }
        #expect(last != nil)
        held.items[0].value.request(.max(1))
        #expect(last != nil)
        held.items[1].value.request(.max(1))
        #expect(last == nil)
        #expect(log.items == ["first: value", "first: end", "second: value", "second: end"])
        withExtendedLifetime(held) {}
    }

    @Test(
        "a patient end keeps the last value for those that are owed it and those that come later, an impatient one for nobody",
        arguments: [false, true])
    func end(isPatient: Bool) {
        let subject = DrivenSubject(1, companion: Token()) { $0.attach($1) }
        drive(subject)
        subject.release()
        let (early, late) = (Recorder<Int, Never>(.nothing), Recorder<Int, Never>())
        subject.publisher.subscribe(early)
        subject.finish(isPatient: isPatient)
        #expect(early.isFinished == !isPatient)
        #expect(subject.last == (isPatient ? 1 : nil))
        subject.publisher.subscribe(late)
        #expect(late.values == (isPatient ? [1] : []))
        #expect(late.isFinished)
        early.request(.max(1))
        #expect(early.values == (isPatient ? [1] : []))
        #expect(early.isFinished)
    }

    private func sends<Value: Equatable & Sendable>(_ values: [Value]) {
        let subject = DrivenSubject(values[0], companion: Token()) { $0.attach($1) }
        drive(subject)
        subject.release()
        let (recorder, owed) = (Recorder<Value, Never>(), Recorder<Value, Never>(.nothing))
        func late() -> [Value] {
            let late = Recorder<Value, Never>()
            subject.publisher.subscribe(late)
            return late.values
        }
        subject.publisher.subscribe(recorder)
        subject.publisher.subscribe(owed)
        subject.send(values[1])
        #expect(recorder.values == Array(values[...1]))
        #expect(late() == [values[1]])
        subject.exchange(values[2])
        #expect(late() == [values[2]])
        owed.request(.max(1))
        #expect(owed.values == [values[2]])
        var value = values[2]
        subject.commit({ value = values[3] }, { value })
        #expect(recorder.values == Array(values[...1]))
        #expect(late() == [values[3]])
        subject.deliver(values[3])
        #expect(recorder.values == [values[0], values[1], values[3]])
        subject.finish(isPatient: false)
        #expect(recorder.isFinished)
    }

    @Test("a value that is sent is delivered, one that is exchanged or committed only becomes current")
    func sending() {
        sends([1, 2, 3, 4])
        sends(["a", "b", "c", "d"])
    }

    @Test("nothing is delivered before the subject is released; what was asked for is then delivered as the driver's first step")
    func held() {
        let subject = DrivenSubject(1, companion: Token()) { $0.attach($1) }
        var steps: [() -> Void] = []
        subject.drive(by: Token()) { _, member, step, _ in steps.append { member.takeFromDriver(step) } }
        let recorder = Recorder<Int, Never>()
        subject.publisher.subscribe(recorder)
        #expect(recorder.values == [])
        subject.release()
        for step in steps { step() }
        #expect(recorder.values == [1])
        subject.finish(isPatient: false)
        #expect(recorder.isFinished)
    }

    @Test("while a value is changed in place nobody else holds it")
    func changedInPlace() {
        var value = Token()
        let subject = DrivenSubject(value, companion: Token()) { $0.attach($1) }
        drive(subject)
        subject.release()
        var isUnique = false
        subject.commit({ isUnique = isKnownUniquelyReferenced(&value) }, { value })
        #expect(isUnique)
        #expect(subject.last === value)
        subject.finish(isPatient: false)
    }

    @Test(
        "one who asks and has the subject end while he takes his subscription gets the last value and then the end",
        arguments: [false, true])
    func endsWhileJoining(isReleased: Bool) {
        let subject = DrivenSubject(1, companion: Token()) { $0.attach($1) }
        drive(subject)
        if isReleased { subject.release() }
        let log = Log<String>()
        subject.publisher.subscribe(
            AnySubscriber(
                receiveSubscription: {
                    $0.request(.max(2))
                    subject.finish(isPatient: true)
                },
                receiveValue: {
                    log.append("\($0)")
                    return .none
                }, receiveCompletion: { _ in log.append("end") }))
        #expect(log.items == ["1", "end"])
    }
}
