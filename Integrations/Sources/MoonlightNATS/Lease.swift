import CNATS
import Dispatch
import MoonlightDurability
import Synchronization

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
    // Sound: the connection guards itself; the revision is behind its lock.
    private let jetStream: JetStream
    private let key: String
    private let holder: String
    private let revision: Mutex<UInt64?>
    private let timer: any DispatchSourceTimer

    /// - Throws: ``DurabilityError/inUse(place:holder:)`` if somebody has it.
    init(_ jetStream: JetStream, key: String, holder: String) throws(DurabilityError) {
        let number = try Self.take(key, holder, jetStream)
        (self.jetStream, self.key, self.holder) = (jetStream, key, holder)
        revision = Mutex(number)
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "moonlight.lease"))
        let pause = jetStream.cluster.lease / 3 / .seconds(1)
        timer.schedule(deadline: .now() + pause, repeating: pause)
        timer.setEventHandler { [weak self] in self?.renew() }
        timer.activate()
    }

    private static func take(_ key: String, _ holder: String, _ jetStream: JetStream) throws(DurabilityError) -> UInt64 {
        let start = ContinuousClock.now
        while true {
            var number: UInt64 = 0
            if kvStore_CreateString(&number, jetStream.owners, key, holder) == NATS_OK { return number }
            var entry: OpaquePointer?
            let status = kvStore_Get(&entry, jetStream.owners, key)
            defer { kvEntry_Destroy(entry) }
            if status == NATS_OK, let text = kvEntry_ValueString(entry) {
                throw .inUse(place: key, holder: String(cString: text))
            }
            // A replica has answered that does not know yet what another one knows: that the key was there, or that it is gone.
            guard ContinuousClock.now - start < jetStream.cluster.patience else {
                let text = natsStatus_GetText(status).map { String(cString: $0) } ?? "\(status)"
                throw .storage("NATS, to take the lease of \(key): \(text)")
            }
            poll(nil, 0, 50)
        }
    }

    private func renew() {
        guard let last = revision.withLock({ $0 }) else { return }
        var number: UInt64 = 0
        let isRenewed = kvStore_UpdateString(&number, jetStream.owners, key, holder, last) == NATS_OK
        revision.withLock { if $0 == last, isRenewed { $0 = number } }
    }

    /// Gives the lease back, if it is ours still.
    func end() {
        timer.cancel()
        guard let last = revision.withLock({ $0.take() }) else { return }
        // Written once more, so that nobody else's is removed.
        var number: UInt64 = 0
        guard kvStore_UpdateString(&number, jetStream.owners, key, holder, last) == NATS_OK else { return }
        kvStore_Delete(jetStream.owners, key)
    }
}
