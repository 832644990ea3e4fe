import Synchronization

/// Limits the number of bids in flight. Beyond the limit, clients are asked to retry later.
final class Admission: Sendable {
    private let count = Atomic<Int>(0)
    private let most: Int

    init(most: Int) { self.most = most }

    func admit<Result>(_ body: () async throws(Refusal) -> Result) async throws(Refusal) -> Result {
        let place = count.wrappingAdd(1, ordering: .relaxed).newValue
        defer { count.wrappingSubtract(1, ordering: .relaxed) }
        guard place <= most else { throw Refusal(status: 429, reason: "too many bids at once") }
        return try await body()
    }
}
