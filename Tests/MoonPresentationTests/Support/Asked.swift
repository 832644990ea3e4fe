import Synchronization

/// What a view was asked for, in order.
final class Asked: Sendable {
    private let noted = Mutex<[Int]>([])

    /// What was asked for.
    var rows: [Int] { noted.withLock { $0 } }

    /// Adds what is asked for.
    func note(_ row: Int) { noted.withLock { $0.append(row) } }
}
