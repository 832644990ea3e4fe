import Dispatch
import MoonlightDurability
public import MoonlightRouting
import Synchronization

/// The owners of keys, in a bucket of a NATS cluster: keys with a revision, which expire after a third of ``NATS/lease``.
///
/// All processes that use the cluster must have the same lease; another value is refused.
public final class NATSLeases: LeaseTable {
    private let cluster: NATS
    private let bucket = Mutex<OwnerBucket?>(nil)
    /// The queue on which calls wait for the servers, each with a time limit.
    private let queue = DispatchQueue(label: "moonlight.leases", attributes: .concurrent)

    /// Creates a table. Nothing is connected yet.
    ///
    /// - Parameter cluster: The servers.
    public init(in cluster: NATS) { self.cluster = cluster }

    /// The time for which a key is held after each write.
    public var duration: Duration { cluster.keyLife }

    /// Takes a key that is not held.
    public func take(_ key: String, for holder: String) async throws -> LeaseAnswer {
        try await run { bucket throws(DurabilityError) in
            guard let answer = bucket.takeOnce(key, for: holder) else {
                throw .storage("NATS: cannot take the lease of \(key), and its holder is unknown")
            }
            return answer
        }
    }

    /// Writes a key again.
    public func renew(_ key: String, for holder: String, revision: UInt64) async throws -> UInt64? {
        try await run { bucket throws(DurabilityError) in try bucket.renew(key, for: holder, revision: revision) }
    }

    /// Releases a key.
    public func release(_ key: String, for holder: String, revision: UInt64) async {
        try? await run { bucket throws(DurabilityError) in bucket.release(key, for: holder, revision: revision) }
    }

    private func run<Result: Sendable>(
        _ body: @escaping @Sendable (OwnerBucket) throws(DurabilityError) -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { waiter in
            queue.async { waiter.resume(with: Swift.Result { try body(self.opened()) }) }
        }
    }

    private func opened() throws -> OwnerBucket {
        if let bucket = bucket.withLock({ $0 }) { return bucket }
        let made = try OwnerBucket(JetStream.shared(cluster))
        return bucket.withLock { bucket in
            // Another call may have created one meanwhile.
            if let bucket { return bucket }
            bucket = made
            return made
        }
    }
}
