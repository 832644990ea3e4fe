import Moonlight
import Streams
import Synchronization

// The functions of an environment, wrapped so that their calls and answers are recorded. The wrappers do not change their
// behavior.
extension Recording {
    // MARK: Asynchronous functions

    /// Returns an asynchronous function whose calls and answers are recorded.
    ///
    /// - Parameters:
    ///   - name: The name of the function, the same as that of its stub in tests. Its arguments and its answer should be
    ///     `Codable`, so that the recording can be replayed.
    ///   - live: The function.
    public func async<each Argument: Sendable, Output: Sendable, Failure>(
        _ name: String, _ live: @escaping @Sendable (repeat each Argument) async throws(Failure) -> Output
    ) -> @Sendable (repeat each Argument) async throws(Failure) -> Output {
        { (arguments: repeat each Argument) async throws(Failure) -> Output in
            let call = self.begin(RecordedCall(name, repeat each arguments))
            do throws(Failure) {
                let output = try await live(repeat each arguments)
                self.end(call, output)
                return output
            } catch {
                self.fail(call, error)
                throw error
            }
        }
    }

    /// Returns an asynchronous function that cannot fail, whose calls and answers are recorded.
    ///
    /// - Parameters:
    ///   - name: The name of the function, which its stub has in tests.
    ///   - live: The function.
    public func async<each Argument: Sendable, Output: Sendable>(
        _ name: String, _ live: @escaping @Sendable (repeat each Argument) async -> Output
    ) -> @Sendable (repeat each Argument) async -> Output {
        { (arguments: repeat each Argument) async -> Output in
            let call = self.begin(RecordedCall(name, repeat each arguments))
            let output = await live(repeat each arguments)
            self.end(call, output)
            return output
        }
    }

    private func begin(_ call: RecordedCall) -> Int {
        let id = newID()
        note(.call(call), id: id)
        return id
    }

    private func end(_ call: Int, _ output: some Sendable) { end(call, RecordedAnswer(.value, output)) }

    private func fail<Failure: Error>(_ call: Int, _ error: Failure) {
        if Task.isCancelled, error is CancellationError {
            return note(.answer(call: call, RecordedAnswer(.cancelled), isLate: true), id: call)
        }
        end(call, RecordedAnswer(.failure, error, isTypeKnown: Failure.self != (any Error).self))
    }

    private func end(_ call: Int, _ answer: RecordedAnswer) {
        // A function that answers in a turn of the loop has not suspended. Outside of a turn, that is unknown.
        note(.answer(call: call, answer, isLate: Task.isCancelled), id: call, isFromOutside: !isInTurn)
    }

    // MARK: Plain functions

    /// Returns a function whose calls and results are recorded.
    ///
    /// - Parameters:
    ///   - name: The name of the function, which its stub has in tests.
    ///   - live: The function.
    public func function<each Argument: Sendable, Output: Sendable>(
        _ name: String, _ live: @escaping @Sendable (repeat each Argument) -> Output
    ) -> @Sendable (repeat each Argument) -> Output {
        { (arguments: repeat each Argument) -> Output in
            let output = live(repeat each arguments)
            self.note(.result(RecordedCall(name, repeat each arguments), RecordedAnswer(.value, output)), id: 0)
            return output
        }
    }

    // MARK: Streams

    /// Returns a function that returns a stream. Each subscription is recorded as a call, and each value and the end as answers.
    ///
    /// - Parameters:
    ///   - name: The name of the function, which its stub has in tests.
    ///   - live: The function.
    public func publisher<each Argument: Sendable, Output: Sendable, Failure>(
        _ name: String, _ live: @escaping @Sendable (repeat each Argument) -> AnyPublisher<Output, Failure>
    ) -> @Sendable (repeat each Argument) -> AnyPublisher<Output, Failure> {
        { (arguments: repeat each Argument) -> AnyPublisher<Output, Failure> in
            let call = RecordedCall(name, repeat each arguments)
            return self.following(call) { live(repeat each arguments) }
        }
    }

    private func following<Output: Sendable, Failure>(
        _ call: RecordedCall, _ live: @escaping @Sendable () -> AnyPublisher<Output, Failure>
    ) -> AnyPublisher<Output, Failure> {
        let isTypeKnown = Failure.self != (any Error).self
        return Deferred { [self] in
            let id = newID()
            note(.call(call), id: id)
            let asking = AskingThread()
            let take = { @Sendable [self] (answer: RecordedAnswer) in
                note(.answer(call: id, answer, isLate: false), id: id, isFromOutside: !asking.isHere)
            }
            let answers = live().handleEvents(
                receiveOutput: { take(RecordedAnswer(.sent, $0)) },
                receiveCompletion: { completion in
                    switch completion {
                    case .finished: take(RecordedAnswer(.finished))
                    case .failure(let error): take(RecordedAnswer(.failure, error, isTypeKnown: isTypeKnown))
                    }
                },
                receiveCancel: { [self] in note(.answer(call: id, RecordedAnswer(.cancelled), isLate: false), id: id) })
            return AnswerPublisher(upstream: answers, cause: causeHere, asking: asking)
        }.eraseToAnyPublisher()
    }

    // MARK: Time

    /// Returns a scheduler that records when timers are set, and when they are due.
    ///
    /// - Parameter base: The underlying scheduler.
    public func scheduler<Base: Scheduler<TimePoint> & Sendable>(
        _ base: Base
    ) -> AnyScheduler<TimePoint, Base.SchedulerOptions> {
        RecordedScheduler(base, cause: { [self] in causeHere }, set: { [self] in timer($0) }).eraseToAnyScheduler()
    }

    /// Returns a clock that records when sleeps begin, and when they end.
    ///
    /// - Parameter base: The underlying clock.
    public func clock(_ base: some Clock<Duration>) -> some Clock<Duration> {
        RecordedClock(base) { [self] in timer($0) }
    }

    /// Records that a timer is set.
    private func timer(_ span: Duration) -> RecordedTimer {
        let id = newID()
        note(.timer(span), id: id)
        return RecordedTimer(cause: causeHere) { [self] what in note(what, id: id) }
    }
}

/// A stream whose values and end have the same cause as the call that created the stream.
struct AnswerPublisher<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    /// The number of the record in the journal that caused the call; nil if it came from outside the loop.
    let cause: Int?
    let asking: AskingThread

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        asking.ask { upstream.subscribe(AnswerSubscriber(downstream: subscriber, cause: cause, asking: asking)) }
    }
}

/// The thread that is subscribing to a stream, or requesting values: what the stream sends there is an answer that it gives at
/// once. If two threads do so at the same time, it is the later one.
final class AskingThread: Sendable {
    private let thread = Atomic<UInt>(0)

    var isHere: Bool { thread.load(ordering: .relaxed) == currentThread() }

    func ask(_ question: () -> Void) {
        // Relaxed: a thread only compares it with itself.
        let own = currentThread()
        let before = thread.exchange(own, ordering: .relaxed)
        question()
        // Never back to another thread, which may have ended its question meanwhile.
        if before != own { _ = thread.compareExchange(expected: own, desired: 0, ordering: .relaxed) }
    }
}

private struct AnswerSubscription: Subscription {
    let base: any Subscription
    let asking: AskingThread

    var combineIdentifier: CombineIdentifier { base.combineIdentifier }

    func request(_ demand: Subscribers.Demand) { asking.ask { base.request(demand) } }
    func cancel() { base.cancel() }
}

private struct AnswerSubscriber<Downstream: Subscriber>: Subscriber {
    let downstream: Downstream
    let cause: Int?
    let asking: AskingThread

    var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
    var _subscriberContext: (any _SubscriberContext)? { downstream._subscriberContext }

    func receive(subscription: any Subscription) {
        downstream.receive(subscription: AnswerSubscription(base: subscription, asking: asking))
    }

    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        RecordedTimer.$cause.withValue(cause) { downstream.receive(input) }
    }

    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        RecordedTimer.$cause.withValue(cause) { downstream.receive(completion: completion) }
    }
}
