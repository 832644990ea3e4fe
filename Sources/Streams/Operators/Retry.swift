import Synchronization

extension Publishers {
    /// A publisher that subscribes to its upstream again when that fails, at once or after a while.
    public struct Retry<Upstream: Publisher>: Operator, Attaching {
        /// Where the values come from; how often it is subscribed to again; without end if nil or negative.
        public let upstream: Upstream, retries: Int?
        /// Sees to it that another attempt is made after so many failures and that error, unless the slot is cancelled.
        @usableFromInline typealias Pause = (Int, Upstream.Failure, SubscriptionSlot, @escaping () -> Void) -> Bool
        @usableFromInline var pause: UncheckedTransfer<Pause>?

        /// A publisher that subscribes to its upstream again when that fails.
        @inlinable public init(upstream: Upstream, retries: Int?) { (self.upstream, self.retries) = (upstream, retries) }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            RetryRun(self, SerialSubscription(subscriber, named: "Retry", returnsDemand: false)).attempt()
        }
    }
}

extension Publishers.Retry: Sendable where Upstream: Sendable {}

extension Publishers.Retry: Equatable where Upstream: Equatable {
    /// Whether two do the same; of those that wait before an attempt that is not known.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.upstream == rhs.upstream && lhs.retries == rhs.retries && lhs.pause == nil && rhs.pause == nil
    }
}

extension Publisher {
    /// Subscribes to this publisher again when it fails, so many times; then fails as it does.
    ///
    /// What is asked for and not yet sent is asked for anew; what was sent before a failure is not taken back.
    @inlinable public func retry(_ retries: Int) -> Publishers.Retry<Self> { Publishers.Retry(upstream: self, retries: retries) }

    /// Like ``retry(_:)``, but waits before each attempt as long as a closure says, or gives up if that says nil. For no time, or
    /// less, is not at all; for a span too long to be counted is for ever (see ``Scheduler``).
    /// ```swift
    /// page.retry(5, scheduler: queue) { failures, error in error == .offline ? .seconds(1 << failures) : nil }
    /// ```
    @preconcurrency @inlinable public func retry<S: Scheduler>(
        _ retries: Int, scheduler: S, options: S.SchedulerOptions? = nil,
        after delay: @escaping @Sendable (_ failures: Int, Failure) -> S.SchedulerTimeType.Stride?
    ) -> Publishers.Retry<Self> {
        var retry = Publishers.Retry(upstream: self, retries: retries)
        retry.pause = UncheckedTransfer { failures, error, slot, attempt in
            guard let stride = delay(failures, error) else { return false }
            let (time, attempt) = (scheduler.now.advanced(by: stride), UncheckedTransfer(attempt))
            // Only a timer that repeats can be cancelled. This one is released, which cancels it, before it does.
            let timer = scheduler.schedule(
                after: time, interval: .seconds(1), tolerance: scheduler.minimumTolerance, options: options
            ) { if slot.finish() { attempt.value() } }
            _ = slot.fill(Cancelling(mayRepeat: true, AnyCancellable(timer)))
            return true
        }
        return retry
    }
}

/// The attempts at one upstream for one subscriber.
@usableFromInline final class RetryRun<Upstream: Publisher, Downstream: Subscriber>: @unchecked Sendable
where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
    // Sound: one attempt follows the other; `wanted` hands over from thread to thread.
    @usableFromInline let retry: Publishers.Retry<Upstream>
    @usableFromInline let serial: SerialSubscription<Downstream>
    @exclusivity(unchecked) @usableFromInline var failures = 0
    /// The attempt that is being made and the next, if that is due.
    @usableFromInline let wanted = Atomic<Int>(0)

    @inlinable init(_ retry: Publishers.Retry<Upstream>, _ serial: SerialSubscription<Downstream>) {
        (self.retry, self.serial) = (retry, serial)
    }

    /// Subscribes; from inside a subscription leaves that to the one under way, so that nothing recurses. Inlined into
    /// ``Publishers/Retry/receive(subscriber:)``: a method that calls itself for each retry of a chain is not specialised.
    @inlinable @inline(__always) func attempt() {
        guard wanted.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat {
            serial.follow(retry.upstream, onFailure: failed)
        } while wanted.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue > 0
    }

    @inlinable @inline(never) func again() { attempt() }

    @inlinable func failed(_ error: Downstream.Failure) {
        failures += 1
        if let retries = retry.retries, retries >= 0, failures > retries { return serial.finish(.failure(error)) }
        if serial.outlet.isClosed { return }
        guard let pause = retry.pause else { return again() }
        let slot = SubscriptionSlot()
        guard serial.take(slot) != nil else { return }
        if !pause.value(failures, error, slot, again) { serial.finish(.failure(error)) }
    }
}
