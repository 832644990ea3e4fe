import Dispatch
import MoonlightDurability

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The lease of a log: a key with a time to live, which its owner writes again and again.
///
/// It says whose turn it is, and is not what keeps a log whole: an owner that was asleep does not know that its lease is over. Its appends
/// fail by the last message of the log.
final class Lease: @unchecked Sendable {
    // Sound: the table guards itself; the revision is set by `init`, and after that only used on the queue.
    private let owners: OwnerBucket
    private let key: String
    private let holder: String
    private var revision: UInt64?
    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "moonlight.lease")

    /// - Throws: ``DurabilityError/inUse(place:holder:)`` if somebody has it.
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
        guard let last = revision, let number = try? owners.renew(key, for: holder, revision: last) else { return }
        revision = number
    }

    /// Gives the lease back, if it is ours still.
    func end() {
        timer.cancel()
        // After a renewal that is under way, which would change the revision.
        queue.sync {
            guard let last = revision.take() else { return }
            owners.release(key, for: holder, revision: last)
        }
    }
}
