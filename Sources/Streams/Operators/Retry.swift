extension Publishers {
    /// A publisher that subscribes to its upstream again when it fails, at once or after a delay.
    public struct Retry<Upstream: Publisher>: Operator {
        @usableFromInline package let upstream: Upstream
        /// The number of further attempts; unlimited if negative.
        @usableFromInline let retries: Int
        /// Schedules another attempt, given the number of failures and the last error, unless the inlet is cancelled before.
        /// Returns false to give up.
        @usableFromInline typealias Pause = (Int, Upstream.Failure, Inlet, @escaping () -> Void) -> Bool
        @usableFromInline var pause: UncheckedTransfer<Pause>?

        @inlinable @inline(__always) package func attach<S: Subscriber<Upstream.Output, Failure>>(_ subscriber: S) {
            FanIn(SerialLogic<S>(again(after: 1)), subscriber, named: "Retry", returnsDemand: false).begin(with: upstream)
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
        retry.pause = UncheckedTransfer { failures, error, inlet, attempt in
            guard let stride = delay(failures, error) else { return false }
            let (time, attempt) = (scheduler.now.advanced(by: stride), UncheckedTransfer(attempt))
            // Only a repeating timer can be cancelled. This one is released, and thereby cancelled, before it repeats.
            let timer = scheduler.schedule(
                after: time, interval: .seconds(1), tolerance: scheduler.minimumTolerance, options: options
            ) { if inlet.finish() { attempt.value() } }
            _ = inlet.fill(Cancelling(mayRepeat: true, AnyCancellable(timer)))
            return true
        }
        return retry
    }
}

extension Publishers.Retry {
    /// Subscribes to the upstream again when it has failed, unless it has failed too often.
    ///
    /// - Parameter failures: The number of failures, including that one.
    @inlinable func again<D: Subscriber<Output, Failure>>(after failures: Int) -> SerialLogic<D>.Follow {
        { logic, error, run in
            guard let error, retries < 0 || failures <= retries, let source = SerialLogic<D>.source(of: Upstream.self, in: run)
            else { return nil }
            logic.following.append(again(after: failures + 1))
            let attempt = { WorkContext.bind(for: run.downstreamContext) { upstream.subscribe(source) } }
            guard let pause else { return attempt }
            return {
                let inlet = Inlet(isOpen: true)
                guard run.sources.admit(inlet) else { return }
                let isScheduled = pause.value(failures, convert(error), inlet) {
                    run.sources.forget(inlet)
                    attempt()
                }
                if !isScheduled { run.post(.ended(nil, error)) }
            }
        }
    }
}
