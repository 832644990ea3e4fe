extension Publishers {
    /// A publisher that subscribes to, requests from and cancels its upstream on a scheduler.
    public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Operator {
        @usableFromInline package let upstream: Upstream
        /// The scheduler that calls the upstream.
        @usableFromInline let scheduler: Context
        /// The options that the calls to the upstream are scheduled with.
        @usableFromInline let options: Context.SchedulerOptions?

        @inlinable package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let (upstream, scheduler, options) = (upstream, scheduler, options)
            let caller = SubscribeOnSubscriber(subscriber) { scheduler.schedule(options: options, $0) }
            let subscribe = UncheckedTransfer {
                WorkContext.bind(for: caller._subscriberContext) { upstream.subscribe(caller) }
            }
            scheduler.schedule(options: options) { subscribe.value() }
        }
    }
}

extension Publisher {
    /// Subscribes to this publisher, requests values and cancels on a scheduler, in order. Values are delivered where the
    /// upstream sends them.
    /// - Parameters:
    ///   - scheduler: Runs the calls to this publisher.
    ///   - options: The options that the calls are scheduled with.
    public func subscribe<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.SubscribeOn<Self, S> { .init(upstream: self, scheduler: scheduler, options: options) }
}

@usableFromInline final class SubscribeOnSubscriber<Downstream: Subscriber>: Intercepting<Downstream>, @unchecked Sendable {
    // Sound: see the base class.
    @usableFromInline let schedule: (@escaping @Sendable () -> Void) -> Void

    @inlinable init(_ downstream: Downstream, schedule: @escaping (@escaping @Sendable () -> Void) -> Void) {
        self.schedule = schedule
        super.init(downstream, named: "SubscribeOn")
    }

    @inlinable override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        inlet.isEnded ? .none : outlet.send(input)
    }

    @inlinable override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        // After a cancellation the completion is ignored: it would end the inlet, and the scheduled `cancel()` must still reach
        // the upstream.
        if !outlet.isClosed { super.receive(completion: completion) }
    }

    override func request(_ demand: Subscribers.Demand) {
        let call = UncheckedTransfer { self.inlet.pass(demand) }
        if !outlet.isClosed { schedule { call.value() } }
    }

    override func cancel() {
        let call = UncheckedTransfer { self.inlet.cancel() }
        if !inlet.isAwaiting { outlet.close { _ in schedule { call.value() } } }
    }
}

// Sound if the upstream is Sendable: a scheduler may be used from any thread, and its options are values.
extension Publishers.SubscribeOn: @unchecked Sendable where Upstream: Sendable {}
