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
            attempt(0, SerialSubscription(subscriber, named: "Retry", returnsDemand: false))
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

extension Publishers.Retry {
    /// Subscribes to the upstream. Inlined into ``attach(_:)``, since a method that calls itself for each retry of a chain is not
    /// specialized.
    @inlinable @inline(__always) func attempt<D: Subscriber<Output, Failure>>(_ failures: Int, _ run: SerialSubscription<D>) {
        run.follow(upstream, onFailure: { failed($0, failures + 1, run) })
    }

    @inlinable @inline(never) func again<D: Subscriber<Output, Failure>>(_ failures: Int, _ run: SerialSubscription<D>) {
        WorkContext.bind(for: run._subscriberContext) { attempt(failures, run) }
    }

    @inlinable func failed<D: Subscriber<Output, Failure>>(_ error: Failure, _ failures: Int, _ run: SerialSubscription<D>) {
        if retries >= 0, failures > retries { return run.finish(.failure(error)) }
        if run.outlet.isClosed { return }
        guard let pause else { return again(failures, run) }
        let slot = SubscriptionSlot()
        guard run.take(slot) != nil else { return }
        if !pause.value(failures, error, slot, { again(failures, run) }) { run.finish(.failure(error)) }
    }
}
