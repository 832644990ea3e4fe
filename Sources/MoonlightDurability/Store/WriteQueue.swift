import Streams
import Synchronization

/// What is to be called when the lock of a queue has been released.
@usableFromInline
enum QueueCall {
    case none
    case wake(CheckedContinuation<Void, Never>?)
    case schedule
}

/// The queue before the task that writes to a storage. The task takes at once what has gathered while it was busy (group commit); whoever
/// appends goes on.
@usableFromInline
final class WriteQueue<Order: Sendable>: Sendable {
    @usableFromInline
    struct Line: Sendable {
        @usableFromInline var orders: [Order] = []
        /// Whether there is something to do now.
        @usableFromInline var isUrgent = false
        /// Whether a time was set at which there will be.
        @usableFromInline var isScheduled = false
        var isClosed = false
        /// The task, while it has nothing to do.
        @usableFromInline var sleeper: CheckedContinuation<Void, Never>?

        init() {}
    }

    @usableFromInline let line = Lock(Line())
    let degree: Acknowledgment
    /// Whether what happens may be told before it is written.
    @usableFromInline let isDelayed: Bool
    private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    /// So many orders are written at once, even if they may wait.
    @usableFromInline static var mostWaiting: Int { 1 << 16 }

    init(_ degree: Acknowledgment, schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void) {
        self.degree = degree
        self.schedule = schedule
        isDelayed = if case .later = degree { true } else { false }
    }

    // MARK: For those who ask

    /// Whether as many orders wait as may.
    @inlinable var isFull: Bool { line.withLock { $0.orders.count >= Self.mostWaiting } }

    /// Appends an order.
    ///
    /// - Parameter mayWait: Whether it may wait for the interval of the degree.
    @inlinable
    func append(_ order: Order, mayWait: Bool = false) {
        make(
            line.withLock { line in
                line.orders.append(order)
                return Self.call(&line, isUrgent: !mayWait || line.orders.count >= Self.mostWaiting)
            })
    }

    /// Appends an order within a second.
    func appendSoon(_ order: Order) { schedule(.seconds(1)) { [weak self] in self?.append(order) } }

    /// Appends an order, and waits until it has been carried out.
    ///
    /// - Parameter order: Returns the order, for which the waiter is resumed.
    func ask(_ order: (CheckedContinuation<Void, any Error>) -> Order) async throws {
        try await withCheckedThrowingContinuation { waiter in
            let order = order(waiter)
            let call = line.withLock { line -> QueueCall? in
                if line.isClosed { return nil }
                line.orders.append(order)
                return Self.call(&line, isUrgent: true)
            }
            if let call { make(call) } else { waiter.resume(throwing: DurabilityError.closed) }
        }
    }

    /// Ends the task, when it has carried out what is in the queue.
    func close() {
        make(
            line.withLock { line in
                line.isClosed = true
                return Self.call(&line, isUrgent: true)
            })
    }

    /// Notes that something has come into the line, and returns what is to be called for it.
    @inlinable
    static func call(_ line: inout Line, isUrgent: Bool) -> QueueCall {
        if isUrgent || line.isUrgent {
            line.isUrgent = true
            return .wake(line.sleeper.take())
        }
        if line.isScheduled { return .none }
        line.isScheduled = true
        return .schedule
    }

    @inlinable
    func make(_ call: QueueCall) {
        switch call {
        case .none, .wake(nil): break
        case .wake(let sleeper?): sleeper.resume()
        case .schedule: wakeLater()
        }
    }

    @usableFromInline
    func wakeLater() {
        guard case .later(let interval) = degree else { return }
        schedule(interval) { [weak self] in
            guard let self else { return }
            make(line.withLock { Self.call(&$0, isUrgent: true) })
        }
    }

    // MARK: For the task

    /// Waits until there is something to do.
    ///
    /// - Returns: What waits, in order; nil if the queue has been closed, and nothing is left.
    func next() async -> [Order]? {
        while true {
            let batch = line.withLock { line -> (orders: [Order], isClosed: Bool)? in
                guard line.isUrgent else { return nil }
                defer {
                    line.orders = []
                    line.isUrgent = line.isClosed
                    line.isScheduled = false
                }
                return (line.orders, line.isClosed)
            }
            if let batch { return batch.orders.isEmpty && batch.isClosed ? nil : batch.orders }
            await withCheckedContinuation { sleeper in
                let isUrgent = line.withLock { line in
                    if !line.isUrgent { line.sleeper = sleeper }
                    return line.isUrgent
                }
                if isUrgent { sleeper.resume() }
            }
        }
    }
}
