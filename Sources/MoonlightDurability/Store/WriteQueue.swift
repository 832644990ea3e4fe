import Streams

/// The queue before the task that writes to a storage. The task removes all orders that have accumulated while it was busy;
/// appending never waits.
final class WriteQueue<Order: Sendable>: Sendable {
    struct Line: Sendable {
        var orders: [Order] = []
        /// True if the task should run now.
        var isUrgent = false
        /// True if a run of the task is scheduled.
        var isScheduled = false
        var isClosed = false
        /// The task, while it has nothing to do.
        var sleeper: CheckedContinuation<Void, Never>?
    }

    /// A call to make when the lock has been released.
    private enum Call {
        case none
        case wake(CheckedContinuation<Void, Never>?)
        case schedule
    }

    let line = Lock(Line())
    let degree: Acknowledgment
    /// True if results are published before they are written.
    let isDelayed: Bool
    private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    /// The number of orders at which the queue is written at once, even if they may wait.
    private static var mostWaiting: Int { 1 << 16 }

    init(_ degree: Acknowledgment, schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void) {
        self.degree = degree
        self.schedule = schedule
        isDelayed = if case .later = degree { true } else { false }
    }

    // MARK: For the loops

    /// True if the queue has reached its limit.
    var isFull: Bool { line.withLock { $0.orders.count >= Self.mostWaiting } }

    /// Appends an order.
    ///
    /// - Parameter mayWait: True if it may wait for the interval of the degree.
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
    /// - Parameter order: Returns the order, which resumes the continuation.
    func ask(_ order: (CheckedContinuation<Void, any Error>) -> Order) async throws {
        try await withCheckedThrowingContinuation { waiter in
            let order = order(waiter)
            let call = line.withLock { line -> Call? in
                if line.isClosed { return nil }
                line.orders.append(order)
                return Self.call(&line, isUrgent: true)
            }
            if let call { make(call) } else { waiter.resume(throwing: DurabilityError.closed) }
        }
    }

    /// Ends the task when it has executed the orders in the queue.
    func close() {
        make(
            line.withLock { line in
                line.isClosed = true
                return Self.call(&line, isUrgent: true)
            })
    }

    /// Records a change of the queue, and returns the call to make for it.
    private static func call(_ line: inout Line, isUrgent: Bool) -> Call {
        if isUrgent || line.isUrgent {
            line.isUrgent = true
            return .wake(line.sleeper.take())
        }
        if line.isScheduled { return .none }
        line.isScheduled = true
        return .schedule
    }

    private func make(_ call: Call) {
        switch call {
        case .none, .wake(nil): break
        case .wake(let sleeper?): sleeper.resume()
        case .schedule: wakeLater()
        }
    }

    private func wakeLater() {
        guard case .later(let interval) = degree else { return }
        schedule(interval) { [weak self] in
            guard let self else { return }
            make(line.withLock { Self.call(&$0, isUrgent: true) })
        }
    }

    // MARK: For the task

    /// Waits for orders.
    ///
    /// - Returns: The orders, oldest first; nil if the queue has been closed and is empty.
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
