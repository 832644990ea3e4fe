import CNATS
import MoonlightDurability
import MoonlightRouting
import StorageSupport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The keys of owners, each with a revision and a time to live.
final class OwnerBucket: @unchecked Sendable {
    // Sound: the pointers are set by `init` and freed by `deinit`; the library guards what is behind them.
    static let name = "moonlight-owners"

    private let jetStream: JetStream
    private var context: OpaquePointer?
    private var keys: OpaquePointer?

    /// Makes the table, if it is not there.
    ///
    /// - Throws: Also if it is there for another `NATS.lease`: owners and servers must agree on it.
    init(_ jetStream: JetStream) throws(DurabilityError) {
        self.jetStream = jetStream
        let cluster = jetStream.cluster
        var waiting = jsOptions()
        jsOptions_Init(&waiting)
        // An owner must know early enough that it could not renew its lease.
        waiting.Wait = max(200, Int64(cluster.keyLife / .milliseconds(1)) / 6)
        try jetStream.retry("use JetStream") { (natsConnection_JetStream(&context, jetStream.connection, &waiting), nil) }
        let name = strdup(Self.name)
        defer { free(name) }
        var config = kvConfig()
        kvConfig_Init(&config)
        (config.Bucket, config.History, config.Replicas) = (UnsafePointer(name), 1, Int32(cluster.replicas))
        config.TTL = Int64(cluster.keyLife / .nanoseconds(1))
        try jetStream.retry("make the table of owners") {
            let status = js_CreateKeyValue(&keys, context, &config)
            return status == NATS_OK ? (status, nil) : (js_KeyValue(&keys, context, Self.name), nil)
        }
        var status: OpaquePointer?
        try jetStream.retry("read the table of owners") { (kvStore_Status(&status, keys), nil) }
        defer { kvStatus_Destroy(status) }
        let time = Duration.nanoseconds(kvStatus_TTL(status))
        guard time == cluster.keyLife else {
            throw .storage(
                "the leases of the cluster are of \(time * 3), and not of \(cluster.lease): give all owners the same `lease`")
        }
    }

    deinit {
        kvStore_Destroy(keys)
        jsCtx_Destroy(context)
    }

    /// Writes a key that nobody has.
    func take(_ key: String, for holder: String) throws(DurabilityError) -> LeaseAnswer {
        var patience = Patience(jetStream.cluster.patience, pause: 50)
        while true {
            if let answer = try takeOnce(key, for: holder) { return answer }
            // A replica has answered that does not know yet what another one knows: that the key was there, or that it is gone.
            guard !patience.hasEnded else { throw .storage("NATS, to take the lease of \(key): the servers do not agree on it") }
            patience.wait()
        }
    }

    /// Tries once. Returns nil if nobody knows.
    func takeOnce(_ key: String, for holder: String) throws(DurabilityError) -> LeaseAnswer? {
        var number: UInt64 = 0
        // Looks first: servers of 2.9 count writes that are refused, and lose count when their leader changes.
        if let entry = entry(of: key) {
            guard entry.holder == holder else { return .held(by: entry.holder) }
            // An attempt before was made without an answer. It is written anew, so that the lease begins now.
            return kvStore_UpdateString(&number, keys, key, holder, entry.revision) == NATS_OK ? .granted(revision: number) : nil
        }
        if kvStore_CreateString(&number, keys, key, holder) == NATS_OK { return .granted(revision: number) }
        return entry(of: key).flatMap { $0.holder == holder ? nil : .held(by: $0.holder) }
    }

    /// Writes a key again.
    ///
    /// - Returns: Its new revision; nil if it is another's, or gone.
    /// - Throws: If nobody knows.
    func renew(_ key: String, for holder: String, revision: UInt64) throws(DurabilityError) -> UInt64? {
        var number: UInt64 = 0
        let status = kvStore_UpdateString(&number, keys, key, holder, revision)
        if status == NATS_OK { return number }
        // An attempt before may have been made without an answer.
        guard let entry = entry(of: key) else {
            throw .storage("NATS, to renew the lease of \(key): \(JetStream.text(of: status))")
        }
        guard entry.holder == holder else { return nil }
        guard kvStore_UpdateString(&number, keys, key, holder, entry.revision) == NATS_OK else {
            throw .storage("NATS, to renew the lease of \(key): \(JetStream.text(of: status))")
        }
        return number
    }

    /// Removes a key, if it is the holder's.
    func release(_ key: String, for holder: String, revision: UInt64) {
        // Written once more, so that nobody else's is removed.
        guard let last = try? renew(key, for: holder, revision: revision), last > 0 else { return }
        kvStore_Delete(keys, key)
    }

    /// Who has a key, as some replica knows it.
    func entry(of key: String) -> (holder: String, revision: UInt64)? {
        var entry: OpaquePointer?
        guard kvStore_Get(&entry, keys, key) == NATS_OK else { return nil }
        defer { kvEntry_Destroy(entry) }
        guard let text = kvEntry_ValueString(entry) else { return nil }
        return (String(cString: text), kvEntry_Revision(entry))
    }

    /// Removes a key, whoever has it: for tests.
    func remove(_ key: String) -> Bool { kvStore_Delete(keys, key) == NATS_OK }
}
