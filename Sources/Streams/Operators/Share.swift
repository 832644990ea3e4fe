import Synchronization

extension Publishers {
    /// A publisher that serves all subscribers from one subscription to its upstream.
    public final class Share<Upstream: Publisher>: Operator {
        @usableFromInline package let upstream: Upstream
        /// The greatest number of earlier values that a new subscriber receives.
        @usableFromInline let replay: Int
        @usableFromInline let current = Lock<SharedRun<Upstream.Output, Upstream.Failure>?>(nil)

        @inlinable init(upstream: Upstream, replay: Int = 0) {
            precondition(replay >= 0, "share(replay: \(replay)): the number of stored values must be zero or more")
            self.upstream = upstream
            self.replay = replay
        }

        @inlinable package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            // Until it has received its subscription, a member keeps all values.
            let member = BufferSubscriber(subscriber, named: "Multicast", .max, .dropNewest, asking: .unlimited)
            let (run, isNew, last) = current.withLock { current in
                let last = current
                if let run = last, run.admit(member) { return (run, false, last) }
                let run = SharedRun<Upstream.Output, Upstream.Failure>(replay)
                current = run
                return (run, run.admit(member), last)
            }
            discard(last)
            member.outlet.send(subscription: member)
            _ = member.deliver { [replay] delivery in
                member.size = replay
                return delivery.start()
            }
            if isNew, run.inlet.isAwaiting { upstream.subscribe(run) }
        }
    }
}

// Sound if the upstream is Sendable: `current` is behind its lock, and a run synchronizes itself.
extension Publishers.Share: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Serves all subscribers from one subscription to this publisher. The first subscriber starts that subscription; the last
    /// one to cancel cancels it.
    ///
    /// A subscriber receives the values that are sent after it has subscribed. Values that the upstream sends on subscription,
    /// such as the current value of a ``CurrentValueSubject``, reach only the first subscriber. Once a subscriber requests
    /// anything, an unlimited number of values is requested from this publisher. A subscriber misses the values that it has not
    /// requested by the time they are sent. After the completion, a new subscriber receives only the completion.
    @inlinable public func share() -> Publishers.Share<Self> { .init(upstream: self) }

    /// Like ``share()``, but a new subscriber first receives the last values that were sent, even after the completion.
    ///
    /// The replayed values wait until the subscriber requests them. A later value that it has not requested waits, too, unless
    /// `replay` values already do: then this subscriber misses it. When the last subscriber has cancelled, the stored values are
    /// dropped, and the next subscriber starts a new subscription.
    /// - Parameter replay: The number of values that are stored for new subscribers; zero or more.
    @inlinable public func share(replay: Int) -> Publishers.Share<Self> { .init(upstream: self, replay: replay) }
}

/// One run of a ``Publishers/Share``: from its first subscriber until the last one has cancelled, or forever if the upstream
/// completes.
///
/// Storing a value and reading the list of its receivers is one step under the lock; so is reading the stored values and joining
/// the list. Hence a subscriber that joins at any time receives each value once and in order.
@usableFromInline final class SharedRun<Output, Failure: Error>: Subscriber, @unchecked Sendable {
    // Sound: `state` is behind its lock, and the other properties synchronize themselves.
    @usableFromInline let replay: Int
    @usableFromInline let inlet = Inlet()
    let isWanted = Atomic<Bool>(false)
    /// The stored values, the completion, and the subscribers that have not cancelled, in the order in which they joined.
    @usableFromInline let state = Lock(
        (
            values: Queue<Output>(), completion: Subscribers.Completion<Failure>?.none,
            members: Numbered<AnySubscriber<Output, Failure>>(), isAbandoned: false
        ))
    @inlinable init(_ replay: Int) { self.replay = replay }

    /// Gives a subscriber the stored values, and adds it to the members unless the upstream has completed. Its buffer is
    /// unlimited until it has had the opportunity to request values.
    /// - Returns: Whether the subscriber was admitted. If not, the last member has cancelled, and a new run is needed.
    @inlinable func admit<S: Subscriber<Output, Failure>>(_ member: BufferSubscriber<S>) -> Bool {
        let erased = AnySubscriber(member)
        // The run itself is the members' upstream and requests all values, so a member's own subscription is empty. Members do
        // not retain the run: its upstream keeps it alive, and without an upstream no value can arrive.
        member.inlet.fill(Subscriptions.empty)
        member.onRequest = { [weak self] in self?.demandArrived() }
        return state.withLock { state in
            guard !state.isAbandoned else { return false }
            if state.completion == nil {
                let number = state.members.add(erased)
                member.delivery.withLock { $0.whenCancelled = { [weak self] in self?.leave(number) } }
            }
            member.delivery.withLock { delivery in
                delivery.values = state.values
                delivery.completion = state.completion
            }
            return true
        }
    }

    /// Removes a member that has cancelled.
    @inlinable func leave(_ number: Int) {
        // Values and the member are released outside the lock, since their deinit may be user code.
        let (isLast, forgotten) = state.withLock { state in
            var forgotten = (state.members.remove(number), Queue<Output>())
            let isLast = state.members.isEmpty && state.completion == nil
            if isLast {
                state.isAbandoned = true
                swap(&state.values, &forgotten.1)
            }
            return (isLast, UncheckedTransfer(forgotten))
        }
        discard(forgotten)
        if isLast { inlet.cancel() }
    }

    @usableFromInline func demandArrived() {
        if !isWanted.exchange(true, ordering: .acquiringAndReleasing) { inlet.request(.unlimited) }
    }

    @usableFromInline func receive(subscription: any Subscription) { inlet.fill(subscription) }

    @inlinable func receive(_ input: Output) -> Subscribers.Demand {
        if inlet.isEnded { return .none }
        let (members, forgotten) = state.withLock { state in
            let forgotten = state.values.count == replay ? state.values.popFirst() : nil
            if replay > 0, !state.isAbandoned { state.values.append(input) }
            return UncheckedTransfer((state.members, forgotten))
        }.value
        discard(forgotten)
        for member in members { _ = member.receive(input) }
        return .none
    }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        guard inlet.finish() else { return }
        let members = state.withLock { state in
            defer { (state.completion, state.members) = (completion, Numbered()) }
            return UncheckedTransfer(state.members)
        }.value
        for member in members { member.receive(completion: completion) }
    }
}
