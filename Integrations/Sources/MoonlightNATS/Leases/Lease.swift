import Dispatch
import MoonlightDurability

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The lease of a log: a key with a time to live, which its owner renews.
///
/// A lease selects the owner, but does not protect the log: an owner that was suspended does not notice that its lease has expired.
/// Its appends then fail, because they expect another last message.
final class Lease: @unchecked Sendable {
    // Sound: the table guards itself; the revision is set by `init`, and after that only used on the queue.
    private let owners: OwnerBucket
    private let key: String
    private let holder: String
    private var revision: UInt64?
    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "moonlight.lease")

    /// - Throws: ``DurabilityError/inUse(place:holder:)`` if another process holds it.
    init(_ jetStream: JetStream, key: String) throws(DurabilityError) {
        (owners, self.key) = (try OwnerBucket(jetStream), key)
        holder = "process \(getpid()), \(JetStream.newID())"
        switch try owners.take(key, for: holder) {
        case .held(let other): throw .inUse(place: key, holder: other)
        case .granted(let number): revision = number
        }
        timer = DispatchSource.makeTimerSource(queue: queue)
        let pause = jetStream.cluster.keyLife / 3 / .seconds(1)
        timer.schedule(deadline: .now() + pause, repeating: pause)
        timer.setEventHandler { [weak self] in self?.renew() }
        timer.activate()
    }

    private func renew() {
        guard let last = revision else { return }
        do {
            if let renewed = try owners.renew(key, for: holder, revision: last) {
                revision = renewed
                return
            }
        } catch {
            // The next renewal will show whether this one succeeded.
            return
        }
        // The key has expired, for instance while the process was suspended, or has another holder, which may have appended.
        switch owners.takeOnce(key, for: holder) {
        case .granted(let number): revision = number
        case .held: revision = nil
        case nil: break
        }
    }

    /// Releases the lease, if this process still holds it.
    func end() {
        timer.cancel()
        // After a pending renewal, which would change the revision.
        queue.sync {
            guard let last = revision.take() else { return }
            owners.release(key, for: holder, revision: last)
        }
    }
}
