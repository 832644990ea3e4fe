import Streams
import Testing

/// The stream of a loop's states, driven by hand.
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
}
