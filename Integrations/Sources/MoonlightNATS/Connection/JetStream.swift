import CNATS
import MoonlightDurability
import StorageSupport
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A connection to a cluster. Safe from any thread, as the C library is.
final class JetStream: @unchecked Sendable {
    // Sound: the pointers are set by `init` and freed by `deinit`; the library synchronizes access to its objects.
    let cluster: NATS
    private(set) var connection: OpaquePointer?
    private(set) var context: OpaquePointer?

    init(_ cluster: NATS) throws(DurabilityError) {
        self.cluster = cluster
        var options: OpaquePointer?
        natsOptions_Create(&options)
        defer { natsOptions_Destroy(options) }
        let texts = cluster.servers.map { strdup($0) }
        defer { for text in texts { free(text) } }
        var servers = texts.map { UnsafePointer<CChar>($0) }
        natsOptions_SetServers(options, &servers, Int32(servers.count))
        natsOptions_SetMaxReconnect(options, -1)
        natsOptions_SetReconnectWait(options, 100)
        natsOptions_SetTimeout(options, 2000)
        natsOptions_SetPingInterval(options, 1000)
        natsOptions_SetMaxPingsOut(options, 2)
        try retry("connect") { (natsConnection_Connect(&connection, options), nil) }
        var waiting = jsOptions()
        jsOptions_Init(&waiting)
        waiting.Wait = 2000
        try retry("use JetStream") { (natsConnection_JetStream(&context, connection, &waiting), nil) }
    }

    deinit {
        jsCtx_Destroy(context)
        natsConnection_Destroy(connection)
    }

    /// Returns the connection that the fleets, leases and requests of this process share.
    static func shared(_ cluster: NATS) throws(DurabilityError) -> JetStream {
        if let known = known.withLock({ $0[cluster]?.connection }) { return known }
        let made = try JetStream(cluster)
        return known.withLock { known in
            // Another thread may have created one meanwhile.
            if let connection = known[cluster]?.connection { return connection }
            known = known.filter { $0.value.connection != nil }
            known[cluster] = Known(connection: made)
            return made
        }
    }

    private struct Known { weak var connection: JetStream? }
    private static let known = Mutex<[NATS: Known]>([:])

    /// The maximum size of a message in bytes.
    var largest: Int { Int(natsConnection_GetMaxPayload(connection)) - 1024 }

    /// Repeats a call until it succeeds or the patience of the cluster is exhausted.
    func retry(_ what: String, _ call: () -> (natsStatus, jsErrCode?)) throws(DurabilityError) {
        var patience = Patience(cluster.patience, pause: 10)
        while true {
            let (status, code) = call()
            if status == NATS_OK { return }
            if status == NATS_INVALID_ARG || status == NATS_MAX_PAYLOAD || patience.hasEnded {
                let error = code.map { $0.rawValue == 0 ? "" : " (\($0.rawValue))" } ?? ""
                throw .storage("NATS, to \(what): \(Self.text(of: status))\(error)")
            }
            patience.wait()
        }
    }

    static func text(of status: natsStatus) -> String {
        natsStatus_GetText(status).map { String(cString: $0) } ?? "\(status)"
    }

    /// Returns a unique id for a message, a process or an inbox.
    static func newID() -> String { "\(UInt64.random(in: 0...UInt64.max))-\(UInt64.random(in: 0...UInt64.max))" }
}
