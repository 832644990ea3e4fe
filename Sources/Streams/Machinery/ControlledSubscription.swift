import Synchronization

/// The subscription to a stream whose values and completion come from a test. Values are kept until the subscriber requests them;
/// the completion follows the last value, and a failure replaces the values that are kept.
///
/// A subject with a buffer does the same with a dozen objects. This is one, because explorations make millions of them.
@usableFromInline
package final class ControlledSubscription<Downstream: Subscriber>: SubscriptionCore, @unchecked Sendable {
    // Sound: all that changes is only accessed while the lock is held. One thread at a time sends, as `isSending` says, and no
    // lock is held while it does.
    @usableFromInline package typealias Input = Downstream.Input
    @usableFromInline package typealias Failure = Downstream.Failure

    @usableFromInline let lock = Lock(())
    @exclusivity(unchecked) @usableFromInline var demand = Subscribers.Demand.none
    /// Whether a thread sends, which then also sends what is added meanwhile. At first it is the one that subscribes.
    @exclusivity(unchecked) @usableFromInline var isSending = true
    @exclusivity(unchecked) @usableFromInline var values = Queue<Input>()
    /// Sends the completion, which waits for the values, or for the thread that sends.
    @exclusivity(unchecked) @usableFromInline var ending: ((Downstream) -> Void)?
    /// The subscriber; nil after the end or a cancellation. Behind a pointer, as the `deinit` of a generic class looks up the
    /// type of each field whose size it does not know.
    @exclusivity(unchecked) @usableFromInline var downstream: UnsafeMutablePointer<Downstream>?
    /// Called when the subscription is cancelled before its end.
    @exclusivity(unchecked) @usableFromInline var whenCancelled: (() -> Void)?
    /// Sends what is requested, or ends by a cancellation. Formed where the types are known, so that a call through
    /// `any Subscription` still runs specialized code.
    @usableFromInline let act: (_ subscription: ControlledSubscription, _ isCancelled: Bool) -> Void

    @inlinable
    package override init() {
        act = { $1 ? $0.end() : $0.sendAll() }
        super.init()
    }

    deinit { if let downstream { downstream.deinitialize(count: 1).deallocate() } }

    /// Hands the subscription to its subscriber.
    @inlinable
    package func start(_ subscriber: Downstream, whenCancelled: @escaping () -> Void) {
        let place = UnsafeMutablePointer<Downstream>.allocate(capacity: 1)
        place.initialize(to: subscriber)
        (downstream, self.whenCancelled) = (place, whenCancelled)
        subscriber.receive(subscription: self)
        lock.withLock { _ in isSending = false }
        sendAll()
    }

    /// Sends a value, or keeps it until it is requested.
    @inlinable
    package func send(_ value: Input) {
        let idle = lock.withLock { _ in
            guard let downstream, ending == nil else { return UncheckedTransfer(Downstream?.none) }
            if isSending || demand == .none || !values.isEmpty {
                values.append(value)
                return UncheckedTransfer(nil)
            }
            isSending = true
            demand -= 1
            return UncheckedTransfer(downstream.pointee)
        }.value
        // If it was not idle, a value that has waited is not requested, or another call sends it.
        guard let idle else { return }
        let more = idle.receive(value)
        lock.withLock { _ in
            demand += more
            isSending = false
        }
        sendAll()
    }

    /// Ends the stream.
    @inlinable
    package func finish(_ completion: Subscribers.Completion<Failure>) {
        // What is dropped is released outside the lock, since its deinit may be user code.
        let dropped = lock.withLock { _ in
            var dropped = Queue<Input>()
            guard downstream != nil, ending == nil else { return UncheckedTransfer(dropped) }
            ending = { $0.receive(completion: completion) }
            if case .failure = completion { swap(&dropped, &values) }
            return UncheckedTransfer(dropped)
        }
        discard(dropped)
        sendAll()
    }

    @usableFromInline
    package override func request(_ demand: Subscribers.Demand) {
        lock.withLock { _ in self.demand += demand }
        act(self, false)
    }

    @usableFromInline package override func cancel() { act(self, true) }

    @inlinable
    func end() {
        let whenCancelled = lock.withLock { _ in UncheckedTransfer(self.whenCancelled.take()) }
        discard(letGo())
        whenCancelled.value?()
    }

    /// Sends what is requested, unless another call does.
    @inlinable
    func sendAll() {
        var (isFirst, isOver) = (true, false)
        while !isOver {
            let step = lock.withLock { _ in UncheckedTransfer(next(isFirst: isFirst)) }.value
            isFirst = false
            guard let (downstream, value, ending) = step else { return }
            if let value {
                let more = downstream.receive(value)
                if more != .none { lock.withLock { _ in demand += more } }
            } else {
                isOver = true
                discard(letGo())
                ending?(downstream)
            }
        }
    }

    /// Returns what to do next, to send a value or to end; nil if there is nothing to do, or if another call does it.
    @inlinable
    func next(isFirst: Bool) -> (downstream: Downstream, value: Input?, ending: ((Downstream) -> Void)?)? {
        if isFirst, isSending { return nil }
        isSending = false
        guard let downstream else { return nil }
        if demand != .none, let value = values.popFirst() {
            demand -= 1
            isSending = true
            return (downstream.pointee, value, nil)
        }
        guard values.isEmpty, let ending else { return nil }
        isSending = true
        return (downstream.pointee, nil, ending)
    }

    /// Takes out all that is held.
    @inlinable
    func letGo() -> UncheckedTransfer<(Downstream?, Queue<Input>, ((Downstream) -> Void)?, (() -> Void)?)> {
        lock.withLock { _ in
            let place = downstream.take()
            let held = (place?.move(), values, ending, whenCancelled)
            place?.deallocate()
            (values, ending, whenCancelled) = (Queue(), nil, nil)
            return UncheckedTransfer(held)
        }
    }

    @usableFromInline package override var isSpent: Bool { lock.withLock { _ in downstream == nil } }
    @usableFromInline package override var description: String { "Controlled" }
}
