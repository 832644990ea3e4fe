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

/// The keys of owners, each with a revision and a time to live. A key may be any text: it is encoded like the id of a member.
final class OwnerBucket: @unchecked Sendable {
    // Sound: the pointers are set by `init` and freed by `deinit`; the library synchronizes access to its objects.
    static let name = "moonlight-owners"

    private let jetStream: JetStream
    private var context: OpaquePointer?
    private var keys: OpaquePointer?

    /// Creates the table if it does not exist.
    ///
    /// - Throws: An error also if the table exists with another `NATS.lease`: owners and servers must agree.
    init(_ jetStream: JetStream) throws(DurabilityError) {
        self.jetStream = jetStream
        let cluster = jetStream.cluster
        var waiting = jsOptions()
        jsOptions_Init(&waiting)
        // An owner must learn in time that it could not renew its lease.
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
        // The servers have whole nanoseconds.
        let time = kvStatus_TTL(status)
        guard time == config.TTL else {
            throw .storage(
                "the lease is \(cluster.lease), but that of the cluster is \(Duration.nanoseconds(time) * 3): give all owners the same `lease`"
            )
        }
    }

    deinit {
        kvStore_Destroy(keys)
        jsCtx_Destroy(context)
    }

    /// Writes a key that is not held.
    func take(_ key: String, for holder: String) throws(DurabilityError) -> LeaseAnswer {
        var patience = Patience(jetStream.cluster.patience, pause: 50)
        while true {
            if let answer = takeOnce(key, for: holder) { return answer }
            guard !patience.hasEnded else { throw .storage("NATS: cannot take the lease of \(key), and its holder is unknown") }
            patience.wait()
        }
    }

    /// Tries once. Returns nil if the result is unknown.
    func takeOnce(_ key: String, for holder: String) -> LeaseAnswer? {
        // Reads first: servers of version 2.9 count refused writes, and lose the count when the leader changes.
        guard let entry = try? entry(of: key) else { return nil }
        // If this holder has the key, the answer to an earlier attempt was lost. The key is written again, so that the lease
        // begins now.
        if let other = entry.holder, other != holder { return .held(by: other) }
        return write(key, for: holder, after: entry.revision).number.map { .granted(revision: $0) }
    }

    /// Writes a key again.
    ///
    /// - Returns: The new revision; nil if the key has another holder or has expired.
    /// - Throws: An error if the result is unknown.
    func renew(_ key: String, for holder: String, revision: UInt64) throws(DurabilityError) -> UInt64? {
        if let number = write(key, for: holder, after: revision).number { return number }
        // The answer to an earlier attempt may have been lost.
        let entry = try entry(of: key)
        guard entry.holder == holder else { return nil }
        let (number, status) = write(key, for: holder, after: entry.revision)
        guard let number else { throw .storage("NATS: cannot renew the lease of \(key): \(JetStream.text(of: status))") }
        return number
    }

    /// Removes a key if the holder has it. Tries until the key would have expired.
    func release(_ key: String, for holder: String, revision: UInt64) {
        var (revision, patience) = (revision, Patience(jetStream.cluster.keyLife, pause: 20))
        // Only that revision is removed, never a key that another holder has taken.
        while !remove(key, after: revision) {
            if let entry = try? entry(of: key) {
                // The key has expired or has another holder, or the answer to a renewal was lost.
                guard entry.holder == holder else { return }
                revision = entry.revision
            }
            guard !patience.hasEnded else { return }
            patience.wait()
        }
    }

    private func write(_ key: String, for holder: String, after revision: UInt64) -> (number: UInt64?, status: natsStatus) {
        var number: UInt64 = 0
        let status = kvStore_UpdateString(&number, keys, MemberSubjects.token(of: key), holder, revision)
        return (status == NATS_OK ? number : nil, status)
    }

    /// Appends the marker by which key-value buckets delete a key.
    private func remove(_ key: String, after revision: UInt64) -> Bool {
        let message = MessageStream.made(
            .init(subject: Self.subject(of: key), bytes: [], expected: revision), reply: nil)
        defer { natsMsg_Destroy(message) }
        natsMsgHeader_Set(message, Self.operation, "DEL")
        return js_PublishMsg(nil, context, message, nil, nil) == NATS_OK
    }

    /// Returns the holder of a key and its last revision (0 if there is none), according to the leader of the table.
    ///
    /// A lagging replica might report an owner that has released the key.
    ///
    /// - Throws: An error if there is no answer.
    func entry(of key: String) throws(DurabilityError) -> (holder: String?, revision: UInt64) {
        var (message, code) = (OpaquePointer?.none, jsErrCode(0))
        let status = js_GetLastMsg(&message, context, "KV_\(Self.name)", Self.subject(of: key), nil, &code)
        if status == NATS_NOT_FOUND || code.rawValue == MessageStream.notFound { return (nil, 0) }
        guard status == NATS_OK, let message else {
            throw .storage("NATS: cannot read the lease of \(key): \(JetStream.text(of: status))")
        }
        defer { natsMsg_Destroy(message) }
        var operation: UnsafePointer<CChar>?
        natsMsgHeader_Get(message, Self.operation, &operation)
        // An operation header marks a deleted key.
        let holder = operation == nil ? String(decoding: message.messageBytes, as: UTF8.self) : nil
        return (holder, natsMsg_GetSequence(message))
    }

    private static func subject(of key: String) -> String { "$KV.\(name).\(MemberSubjects.token(of: key))" }
    private static let operation = "KV-Operation"

    /// Removes a key with any holder, for tests.
    func remove(_ key: String) -> Bool { kvStore_Delete(keys, MemberSubjects.token(of: key)) == NATS_OK }
}
