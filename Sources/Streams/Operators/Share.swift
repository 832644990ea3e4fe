import Synchronization

extension Publishers {
    /// A publisher that serves all subscribers from one subscription to its upstream.
    public final class Share<Upstream: Publisher>: Operator, Attaching, Equatable {
        /// Where the values come from; how many values a subscriber gets that were sent before it came, at most.
        public let upstream: Upstream, replay: Int
        @usableFromInline let current = Lock<SharedRun<Upstream.Output, Upstream.Failure>?>(nil)

        /// A publisher that serves all subscribers from one subscription.
        @inlinable public init(upstream: Upstream, replay: Int = 0) { (self.upstream, self.replay) = (upstream, replay) }

        @inlinable func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let member = BufferSubscriber(subscriber, named: "Multicast", replay, .dropNewest, asking: .unlimited)
            let (run, isNew, last) = current.withLock { current in
                let last = current
                if let run = last, run.admit(member) { return (run, false, last) }
                let run = SharedRun<Upstream.Output, Upstream.Failure>(replay)
                current = run
                return (run, run.admit(member), last)
            }
            discard(last)
            member.start { [replay] in $0.size = replay }
            if isNew, run.inlet.isAwaiting { upstream.subscribe(run) }
        }

        /// Whether two are the same object.
        public static func == (lhs: Share, rhs: Share) -> Bool { lhs === rhs }
    }
}

// Sound where the upstream is: `current` is behind its lock, and a run guards itself.
extension Publishers.Share: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Serves all subscribers from one subscription to this publisher: the first starts it, the last to go stops it.
    ///
    /// A subscriber gets the values that are sent from then on; the upstream's earlier ones, or the current value of a
    /// ``CurrentValueSubject``, go to the first subscriber only. This publisher is asked for everything once a subscriber
    /// asks for anything; a value that a subscriber has not asked for is missed by that one.
    @inlinable public func share() -> Publishers.Share<Self> { Publishers.Share(upstream: self) }

    /// Like ``share()``, but a subscriber that comes later gets the last values first, and the completion if all is over.
    ///
    /// The values that were there before a subscriber wait until it asks for them. A later one that it has not asked for
    /// waits, too, unless `replay` of them do: then it is missed by that one. When the last subscriber has cancelled, the
    /// values are forgotten, and the next subscriber starts anew.
    @inlinable public func share(replay: Int) -> Publishers.Share<Self> { Publishers.Share(upstream: self, replay: replay) }
}

/// From the first subscriber of a ``Publishers/Share`` until the last has cancelled, or for good if the upstream ends. To keep a
/// value and to find out who is there to get it is one step; so is to get what is kept and to join. Hence a subscriber that joins
/// at any moment gets each value once and in order.
@usableFromInline final class SharedRun<Output, Failure: Error>: Subscriber, @unchecked Sendable {
    // Sound: `state` is behind its lock, and the rest guards itself.
    @usableFromInline struct State: @unchecked Sendable {
        // Sound: behind the lock.
        @usableFromInline var values = Queue<Output>()
        @usableFromInline var completion: Subscribers.Completion<Failure>?
        /// In the order in which they joined, by which they are numbered; nil for one that has left.
        @usableFromInline var members: [(number: Int, subscriber: AnySubscriber<Output, Failure>?)] = []
        @usableFromInline var (joined, live, isAbandoned) = (0, 0, false)
        @inlinable init() {}

        /// Takes a member out, in logarithmic time on average: the list closes up once half of it is empty.
        @inlinable mutating func remove(_ number: Int) -> AnySubscriber<Output, Failure>? {
            var (low, high) = (0, members.count)
            while low < high {
                let middle = (low + high) / 2
                if members[middle].number < number { low = middle + 1 } else { high = middle }
            }
            guard low < members.count, members[low].number == number else { return nil }
            live -= 1
            defer { if live * 2 <= members.count { members.removeAll { $0.subscriber == nil } } }
            return members[low].subscriber.take()
        }
    }

    @usableFromInline let replay: Int
    @usableFromInline let inlet = Inlet()
    @usableFromInline let isWanted = Atomic<Bool>(false)
    @usableFromInline let state = Lock(State())
    @inlinable init(_ replay: Int) { self.replay = replay }

    /// Gives a subscriber what is kept. Until it has had its chance to ask there is room for everything.
    /// - Returns: Whether it is admitted; if not, all others have gone, and a new run begins.
    @inlinable func admit<S: Subscriber<Output, Failure>>(_ member: BufferSubscriber<S>) -> Bool {
        let erased = AnySubscriber(member)
        // Not kept by its members: it lives as long as its upstream, and without that there is nothing to come.
        // The run is its upstream, and asks for everything itself.
        member.inlet.fill(Subscriptions.empty)
        member.onRequest = { [weak self] in self?.demandArrived() }
        return state.withLock { state in
            guard !state.isAbandoned else { return false }
            if state.completion == nil {
                member.onEnd = { [weak self, number = state.joined] in self?.leave(number) }
                state.members.append((state.joined, erased))
                (state.joined, state.live) = (state.joined + 1, state.live + 1)
            }
            member.state.withLock { ($0.values, $0.ending, $0.size) = (state.values, state.completion, .max) }
            return true
        }
    }

    @inlinable func leave(_ number: Int) {
        // Values are user code when they are released: outside the lock.
        let (isLast, forgotten) = state.withLock { state in
            let member = state.remove(number)
            guard state.live == 0, state.completion == nil else { return (false, UncheckedTransfer((member, Queue<Output>()))) }
            defer { (state.isAbandoned, state.values) = (true, Queue()) }
            return (true, UncheckedTransfer((member, state.values)))
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
        for member in members { _ = member.subscriber?.receive(input) }
        return .none
    }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        guard inlet.finish() else { return }
        let members = state.withLock { state in
            defer { (state.completion, state.members) = (completion, []) }
            return UncheckedTransfer(state.members)
        }.value
        for member in members { member.subscriber?.receive(completion: completion) }
    }
}
