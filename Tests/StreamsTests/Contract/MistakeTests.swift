import MoonlightTestSupport
import Streams
import Testing

// An exit test with a parameter needs the testing library of Swift 6.3.
#if compiler(>=6.3)
    private struct Broken: Error {}

    /// A publisher that sends given events, regardless of the demand.
    private struct Unruly: GrammaticalPublisher {
        typealias Output = Int
        typealias Failure = Never

        let behave: @Sendable (AnySubscriber<Int, Never>) -> Void

        func receive(subscriber: some Subscriber<Int, Never>) { behave(AnySubscriber(subscriber)) }
    }

    /// The same, of which operators do not expect that it keeps the grammar.
    private struct ForeignPublisher: Publisher {
        typealias Output = Int
        typealias Failure = Never

        let behave: @Sendable (AnySubscriber<Int, Never>) -> Void

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never { behave(AnySubscriber(subscriber)) }
    }

    /// A publisher that requests a value through its subscriber before it sends a subscription.
    private struct Impatient: GrammaticalPublisher {
        typealias Output = Int
        typealias Failure = Never

        func receive(subscriber: some Subscriber<Int, Never>) { (subscriber as? any Subscription)?.request(.max(1)) }
    }

    /// The same, of which operators do not expect that it keeps the grammar.
    private struct ForeignImpatient: Publisher {
        typealias Output = Int
        typealias Failure = Never

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            (subscriber as? any Subscription)?.request(.max(1))
        }
    }

    /// A subscriber that requests `.none` as soon as it has a subscription.
    private func requestNone<P: Publisher>(_ publisher: P) {
        publisher.subscribe(AnySubscriber<P.Output, P.Failure>(receiveSubscription: { $0.request(.none) }))
    }

    private func request(_ demand: Subscribers.Demand, of publisher: some Publisher<Int, Never>) {
        publisher.subscribe(AnySubscriber<Int, Never>(receiveSubscription: { $0.request(demand) }))
    }

    @Suite("Programming mistakes trap with a message that says how to correct them")
    struct MistakeTests {
        private static let nothing = "a request must be for at least one value"

        private static let requestsOfNothing: [Mistake] = [
            Mistake("Just", nothing) { requestNone(Just(1)) },
            Mistake("a future", nothing) { requestNone(Future<Int, Never> { _ in }) },
            Mistake("a subject", nothing) { requestNone(PassthroughSubject<Int, Never>()) },
            Mistake("a subject with a value", nothing) { requestNone(CurrentValueSubject<Int, Never>(1)) },
            Mistake("dropFirst", nothing) { requestNone(PassthroughSubject<Int, Never>().dropFirst(2)) },
            Mistake("prefix", nothing) { requestNone(PassthroughSubject<Int, Never>().prefix(2)) },
            Mistake("tryMap", nothing) { requestNone(PassthroughSubject<Int, Never>().tryMap { $0 }) },
            Mistake("collect by number", nothing) { requestNone(PassthroughSubject<Int, Never>().collect(2)) },
            Mistake("replaceEmpty", nothing) { requestNone(PassthroughSubject<Int, Never>().replaceEmpty(with: 1)) },
            Mistake("reduce", nothing) { requestNone(PassthroughSubject<Int, Never>().reduce(0, +)) },
            Mistake("catch", nothing) { requestNone(PassthroughSubject<Int, Broken>().catch { _ in Just(1) }) },
            Mistake("retry", nothing) { requestNone(PassthroughSubject<Int, Broken>().retry(1)) },
            Mistake("merge", nothing) { requestNone(PassthroughSubject<Int, Never>().merge(with: Empty<Int, Never>())) },
            Mistake("zip", nothing) { requestNone(PassthroughSubject<Int, Never>().zip(PassthroughSubject<Int, Never>())) },
            Mistake("combineLatest", nothing) {
                requestNone(PassthroughSubject<Int, Never>().combineLatest(PassthroughSubject<Int, Never>()))
            },
            Mistake("a publisher of one's own behind an operator", nothing) {
                let own = Deferred { PassthroughSubject<Int, Never>() }
                requestNone(own.eraseToAnyPublisher().scan(0, +).output(at: 2))
            },
            Mistake("a foreign publisher, behind map", nothing) {
                requestNone(ForeignPublisher { $0.receive(subscription: Subscriptions.empty) }.map { $0 })
            },
            Mistake("a foreign publisher, behind removeDuplicates", nothing) {
                requestNone(ForeignPublisher { $0.receive(subscription: Subscriptions.empty) }.removeDuplicates())
            },
            Mistake("an async sequence", nothing) { requestNone(AsyncStream<Int> { _ in }.publisher) },
        ]

        private static let others: [Mistake] = [
            Mistake("a demand below zero", "a demand cannot be negative; use .none") { _ = Subscribers.Demand.max(-1) },
            Mistake("a demand times less than zero", "a demand cannot be negative; multiply by zero or more") {
                _ = Subscribers.Demand.max(1) * -1
            },
            Mistake("a replay of less than nothing", "share(replay: -1): the number of stored values") {
                _ = [1].publisher.share(replay: -1)
            },
            Mistake("dropFirst", "dropFirst(-1): the count") { _ = [1].publisher.dropFirst(-1).sink { _ in } },
            Mistake("prefix", "prefix(-1): the count") { _ = [1].publisher.prefix(-1) },
            Mistake("output(at:)", "output(at: -1): positions start at 0") { _ = [1].publisher.output(at: -1) },
            Mistake("a buffer", "the size must be zero or more") {
                _ = [1].publisher.buffer(size: -1, prefetch: .keepFull, whenFull: .dropNewest).sink { _ in }
            },
            Mistake("collect(0)", "collect(0): the count must be one or more") { _ = [1].publisher.collect(0) },
            Mistake("collect by time or a count of none", "the count must be one or more") {
                _ = [1].publisher.collect(.byTimeOrCount(VirtualTimeScheduler(), .seconds(1), 0)).sink { _ in }
            },
            Mistake("timeout without time", "does not pass; use another scheduler") {
                _ = [1].publisher.timeout(.nanoseconds(1), scheduler: ImmediateScheduler.shared).sink { _ in }
            },
            Mistake("an error that was not to be", "at once: Broken()") {
                _ = Fail<Int, Broken>(error: Broken()).assertNoFailure("at once").sink { _ in }
            },
            Mistake("time that runs backwards", "time does not run backwards") {
                VirtualTimeScheduler().advance(by: .seconds(-1))
            },
            Mistake("a recorded value after the end", "a value was recorded after the completion") {
                var recording = Record<Int, Never>.Recording()
                recording.receive(completion: .finished)
                recording.receive(1)
            },
            Mistake("a second recorded end", "the completion was recorded twice") {
                var recording = Record<Int, Never>.Recording()
                recording.receive(completion: .finished)
                recording.receive(completion: .finished)
            },
            Mistake("a value without demand, to switchToLatest", "switchToLatest got a value that it had not requested") {
                let inner = Unruly { subscriber in
                    subscriber.receive(subscription: Subscriptions.empty)
                    _ = subscriber.receive(1)
                    _ = subscriber.receive(2)
                    _ = subscriber.receive(3)
                }
                request(.max(1), of: Just(inner).switchToLatest())
            },
            Mistake("a completion before the subscription, to switchToLatest", "must call receive(subscription:) before it") {
                request(.unlimited, of: Just(Unruly { $0.receive(completion: .finished) }).switchToLatest())
            },
            Mistake("a value before the subscription, to tryFilter", "was used before its upstream called receive(subscription:)")
            {
                request(.unlimited, of: Unruly { _ = $0.receive(1) }.tryFilter { _ in true }.assertNoFailure())
            },
            Mistake("a completion before the subscription, to tryFilter", "was used before its upstream called") {
                request(.unlimited, of: Unruly { $0.receive(completion: .finished) }.tryFilter { _ in true }.assertNoFailure())
            },
            Mistake("a value before the subscription, to removeDuplicates", "was used before its upstream called") {
                request(.unlimited, of: ForeignPublisher { _ = $0.receive(1) }.removeDuplicates())
            },
            Mistake("a completion before the subscription, to removeDuplicates", "was used before its upstream called") {
                request(.unlimited, of: ForeignPublisher { $0.receive(completion: .finished) }.removeDuplicates())
            },
            Mistake("a request before the subscription, of removeDuplicates", "was used before its upstream called") {
                request(.unlimited, of: ForeignImpatient().removeDuplicates())
            },
            Mistake("a request before the subscription, of tryFilter", "was used before its upstream called") {
                request(.unlimited, of: Impatient().tryFilter { _ in true }.assertNoFailure())
            },
            Mistake("a value before the subscription, to a subject", "was used before its upstream called") {
                let subject = PassthroughSubject<Int, Never>()
                ForeignPublisher { _ = $0.receive(1) }.subscribe(subject).cancel()
            },
            Mistake("a value without demand, to catch", "got a value that was not requested") {
                let upstream = Unruly { subscriber in
                    subscriber.receive(subscription: Subscriptions.empty)
                    _ = subscriber.receive(1)
                    _ = subscriber.receive(2)
                }
                request(.max(1), of: upstream.setFailureType(to: Broken.self).catch { _ in Empty<Int, Never>() })
            },
        ]

        fileprivate static let all = requestsOfNothing + others

        @Test(
            "An invalid demand, number, time or call traps with a message that says how to correct it",
            arguments: all.indices)
        func mistake(index: Int) async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
                MistakeTests.all[index].make()
            }
            let mistake = Self.all[index]
            expect(mistake.isExplained(in: result?.standardErrorContent), "\(mistake.name)")
        }
    }
#endif
