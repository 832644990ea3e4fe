import Synchronization

extension Publishers {
    /// A publisher that subscribes to its upstream again when it fails, at once or after a delay.
    public struct Retry<Upstream: Publisher>: Operator {
        @usableFromInline package let upstream: Upstream
        /// The number of further attempts; unlimited if negative.
        @usableFromInline let retries: Int
        /// Schedules another attempt, given the number of failures and the last error, unless the slot is cancelled before.
        /// Returns false to give up.
        @usableFromInline typealias Pause = (Int, Upstream.Failure, SubscriptionSlot, @escaping () -> Void) -> Bool
        @usableFromInline var pause: UncheckedTransfer<Pause>?

        @inlinable @inline(__always) package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            RetryRun(self, SerialSubscription(subscriber, named: "Retry", returnsDemand: false)).attempt()
        }
    }
}

extension Publishers.Retry: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Subscribes to this publisher again when it fails. Fails with the error of the last attempt.
    ///
    /// The downstream's open demand is requested from each attempt. Values sent before a failure are not retracted.
    /// - Parameter retries: The number of attempts after the first; unlimited if negative.
    public func retry(_ retries: Int) -> Publishers.Retry<Self> { .init(upstream: self, retries: retries) }

    /// Like ``retry(_:)``, but with a delay before each attempt, which a closure returns.
    ///
    /// A delay of zero or less lets the next attempt begin as soon as possible; one too long to be represented, never (see
    /// ``Scheduler``).
    /// ```swift
    /// page.retry(5, scheduler: queue) { failures, error in error == .offline ? .seconds(1 << failures) : nil }
    /// ```
    /// - Parameters:
    ///   - retries: The number of attempts after the first; unlimited if negative.
    ///   - scheduler: Measures the delays and begins the attempts.
    ///   - options: The options that attempts are scheduled with.
    ///   - delay: Returns the delay before the next attempt, given the number of failures so far (one or more) and the last
    ///     error; nil to give up, and fail with that error.
    @preconcurrency public func retry<S: Scheduler>(
        _ retries: Int, scheduler: S, options: S.SchedulerOptions? = nil,
        after delay: @escaping @Sendable (_ failures: Int, Failure) -> S.SchedulerTimeType.Stride?
    ) -> Publishers.Retry<Self> {
        var retry = Publishers.Retry(upstream: self, retries: retries)
        retry.pause = UncheckedTransfer { failures, error, slot, attempt in
            guard let stride = delay(failures, error) else { return false }
            let (time, attempt) = (scheduler.now.advanced(by: stride), UncheckedTransfer(attempt))
            // Only a repeating timer can be cancelled. This one is released, and thereby cancelled, before it repeats.
            let timer = scheduler.schedule(
                after: time, interval: .seconds(1), tolerance: scheduler.minimumTolerance, options: options
            ) { if slot.finish() { attempt.value() } }
            _ = slot.fill(Cancelling(mayRepeat: true, AnyCancellable(timer)))
            return true
        }
        return retry
    }
}

/// The attempts at subscribing to one upstream, on behalf of one subscriber.
@usableFromInline final class RetryRun<Upstream: Publisher, Downstream: Subscriber>: @unchecked Sendable
where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
    // Sound: attempts do not overlap, and `wanted` orders the end of one before the beginning of the next.
    @usableFromInline let retry: Publishers.Retry<Upstream>
    @usableFromInline let serial: SerialSubscription<Downstream>
    @exclusivity(unchecked) @usableFromInline var failures = 0
    /// The number of attempts due: the one that is being started, and the next if that one has failed already.
    @usableFromInline let wanted = Atomic<Int>(0)

    @inlinable init(_ retry: Publishers.Retry<Upstream>, _ serial: SerialSubscription<Downstream>) {
        self.retry = retry
        self.serial = serial
    }

    /// Subscribes to the upstream. If called while an attempt is being started, leaves this to the loop of that call, so that
    /// nothing recurses. Inlined into ``Publishers/Retry/receive(subscriber:)``, since a method that calls itself for each retry
    /// of a chain is not specialized.
    @inlinable @inline(__always) func attempt() {
        guard wanted.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat {
            serial.follow(retry.upstream, onFailure: failed)
        } while wanted.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue > 0
    }

    @inlinable @inline(never) func again() { WorkContext.bind(for: serial._subscriberContext) { attempt() } }

    @inlinable func failed(_ error: Downstream.Failure) {
        failures += 1
        if retry.retries >= 0, failures > retry.retries { return serial.finish(.failure(error)) }
        if serial.outlet.isClosed { return }
        guard let pause = retry.pause else { return again() }
        let slot = SubscriptionSlot()
        guard serial.take(slot) != nil else { return }
        if !pause.value(failures, error, slot, again) { serial.finish(.failure(error)) }
    }
}
