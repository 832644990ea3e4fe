import MoonlightTestSupport
import Streams
import Testing

@Suite("Driven subject: the stream of a loop's states")
struct DrivenSubjectTests {
    /// A driver that performs each step at once.
    private func drive<Output>(_ subject: DrivenSubject<Output>) {
        subject.drive(by: Token()) { _, member, _ in member.updateByDriver() }
    }

    @Test("A driven subject releases its last value when the last subscriber that is to receive it has received it")
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
        expect(last != nil)
        held.items[0].value.request(.max(1))
        expect(last != nil)
        held.items[1].value.request(.max(1))
        expect(last == nil)
        expectEqual(log.items, ["first: value", "first: end", "second: value", "second: end"])
        withExtendedLifetime(held) {}
    }

    @Test(
        "A patient `finish` keeps the last value for pending and later subscribers; any other keeps it for none",
        arguments: [false, true])
    func end(isPatient: Bool) {
        let subject = DrivenSubject(1, companion: Token()) { $0.attach($1) }
        drive(subject)
        subject.release()
        let (early, late) = (Recorder<Int, Never>(.nothing), Recorder<Int, Never>())
        subject.publisher.subscribe(early)
        subject.finish(isPatient: isPatient)
        expectEqual(early.isFinished, !isPatient)
        expect(subject.last == (isPatient ? 1 : nil))
        subject.publisher.subscribe(late)
        expect(late.values == (isPatient ? [1] : []))
        expect(late.isFinished)
        early.request(.max(1))
        expect(early.values == (isPatient ? [1] : []))
        expect(early.isFinished)
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
        expectEqual(recorder.values, Array(values[...1]))
        expectEqual(late(), [values[1]])
        subject.send(values[2])
        expectEqual(late(), [values[2]])
        owed.request(.max(1))
        expectEqual(owed.values, [values[2]])
        expectEqual(recorder.values, values)
        subject.finish(isPatient: false)
        expect(recorder.isFinished)
    }

    @Test("A driven subject delivers a value and makes it current; a later request receives the newest value")
    func sending() {
        sends([1, 2, 3])
        sends(["a", "b", "c"])
    }

    @Test("A driven subject delivers a requested value only after it has started, as its first step")
    func held() {
        let subject = DrivenSubject(1, companion: Token()) { $0.attach($1) }
        var steps: [() -> Void] = []
        subject.drive(by: Token()) { _, member, _ in steps.append { member.updateByDriver() } }
        let recorder = Recorder<Int, Never>()
        subject.publisher.subscribe(recorder)
        expectEqual(recorder.values, [])
        subject.release()
        for step in steps { step() }
        expectEqual(recorder.values, [1])
        subject.finish(isPatient: false)
        expect(recorder.isFinished)
    }

    @Test(
        "A subscriber that ends a driven subject on receiving its subscription receives the last value and the completion",
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
        expectEqual(log.items, ["1", "end"])
    }
}
