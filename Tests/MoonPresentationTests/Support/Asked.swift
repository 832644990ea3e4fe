import Synchronization

/// The rows that a view has read, in order.
final class Asked: Sendable {
    private let noted = Mutex<[Int]>([])

    /// The rows.
    var rows: [Int] { noted.withLock { $0 } }

    /// Adds a row.
    func note(_ row: Int) { noted.withLock { $0.append(row) } }
}
