import CNATS
import MoonlightDurability

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A connection to a cluster, and what is asked of its streams. Safe from any thread, as the C library is.
final class JetStream: @unchecked Sendable {
    // Sound: the pointers are set by `init` and freed by `deinit`; the library guards what is behind them.
    static let stream = "MOONLIGHT"
    static let owners = "moonlight-owners"

    struct Message {
        let sequence: UInt64
        let id: String
        let bytes: [UInt8]
    }

    let cluster: NATS
    private var connection: OpaquePointer?
    private var context: OpaquePointer?
    private(set) var owners: OpaquePointer?

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
        try makeStream()
        try makeOwners()
    }

    deinit {
        kvStore_Destroy(owners)
        jsCtx_Destroy(context)
        natsConnection_Destroy(connection)
    }

    /// The most bytes of a message.
    var largest: Int { Int(natsConnection_GetMaxPayload(connection)) - 1024 }

    private func makeStream() throws(DurabilityError) {
        let (name, subject) = (strdup(Self.stream), strdup("moonlight.>"))
        defer {
            free(name)
            free(subject)
        }
        var subjects = [UnsafePointer<CChar>(subject)]
        let count = Int32(subjects.count)
        var config = jsStreamConfig()
        jsStreamConfig_Init(&config)
        (config.Name, config.SubjectsLen, config.Storage) = (UnsafePointer(name), count, js_FileStorage)
        (config.Replicas, config.AllowDirect) = (Int64(cluster.replicas), true)
        try subjects.withUnsafeMutableBufferPointer { buffer throws(DurabilityError) in
            config.Subjects = buffer.baseAddress
            try retry("make the stream") {
                var code = jsErrCode(0)
                let status = js_AddStream(nil, context, &config, nil, &code)
                // Somebody else has made it, perhaps otherwise.
                if code.rawValue == 10058 { return (js_GetStreamInfo(nil, context, Self.stream, nil, nil), nil) }
                return (status, code)
            }
        }
    }

    private func makeOwners() throws(DurabilityError) {
        let name = strdup(Self.owners)
        defer { free(name) }
        var config = kvConfig()
        kvConfig_Init(&config)
        (config.Bucket, config.History, config.Replicas) = (UnsafePointer(name), 1, Int32(cluster.replicas))
        config.TTL = Int64(cluster.lease / .nanoseconds(1))
        try retry("make the table of owners") {
            let status = js_CreateKeyValue(&owners, context, &config)
            return status == NATS_OK ? (status, nil) : (js_KeyValue(&owners, context, Self.owners), nil)
        }
    }

    /// Appends a message to a subject whose last message is as expected.
    ///
    /// The id is the message's own: if it is there already, because the answer to a former attempt was lost, it is not appended again.
    ///
    /// - Parameter expected: The last message of the subject before; 0 for none, nil for any.
    /// - Returns: The number of the message in the stream; nil if the last message is another.
    func publish(_ bytes: [UInt8], to subject: String, expecting expected: UInt64?, id: String) throws(DurabilityError) -> UInt64?
    {
        var (sequence, isConflict) = (UInt64(0), false)
        let text = strdup(id)
        defer { free(text) }
        var options = jsPubOptions()
        jsPubOptions_Init(&options)
        (options.MsgId, options.ExpectNoMessage) = (UnsafePointer(text), expected == 0)
        options.ExpectLastSubjectSeq = expected ?? 0
        try retry("append") {
            var (acknowledgment, code) = (UnsafeMutablePointer<jsPubAck>?.none, jsErrCode(0))
            let status = js_Publish(&acknowledgment, context, subject, bytes, Int32(bytes.count), &options, &code)
            if let acknowledgment {
                sequence = acknowledgment.pointee.Sequence
                jsPubAck_Destroy(acknowledgment)
            }
            // The last message of the subject is another. It may be this one.
            if code.rawValue == 10071 {
                isConflict = true
                return (NATS_OK, nil)
            }
            return (status, code)
        }
        guard isConflict else { return sequence }
        guard let last = try last(of: subject), last.id == id else { return nil }
        return last.sequence
    }

    /// The last message of a subject, as the leader of the stream has it.
    func last(of subject: String) throws(DurabilityError) -> Message? {
        var message: OpaquePointer?
        try retry("read the last message") {
            var code = jsErrCode(0)
            let status = js_GetLastMsg(&message, context, Self.stream, subject, nil, &code)
            return status == NATS_NOT_FOUND || code.rawValue == 10037 ? (NATS_OK, nil) : (status, code)
        }
        return taken(message)
    }

    /// The first message of a subject from a place in the stream on. A replica may answer that is behind.
    func next(of subject: String, from sequence: UInt64) throws(DurabilityError) -> Message? {
        var message: OpaquePointer?
        let text = strdup(subject)
        defer { free(text) }
        var options = jsDirectGetMsgOptions()
        jsDirectGetMsgOptions_Init(&options)
        (options.Sequence, options.NextBySubject) = (sequence, UnsafePointer(text))
        try retry("read a message") {
            let status = js_DirectGetMsg(&message, context, Self.stream, nil, &options)
            return (status == NATS_NOT_FOUND ? NATS_OK : status, nil)
        }
        return taken(message)
    }

    /// Removes messages of a subject: those before a place in the stream, or all but the last ones.
    func purge(_ subject: String, before sequence: UInt64 = 0, keeping count: UInt64 = 0) throws(DurabilityError) {
        let text = strdup(subject)
        defer { free(text) }
        var options = jsOptions()
        jsOptions_Init(&options)
        options.Stream.Purge.Subject = UnsafePointer(text)
        (options.Stream.Purge.Sequence, options.Stream.Purge.Keep) = (sequence, count)
        try retry("purge") { (js_PurgeStream(context, Self.stream, &options, nil), nil) }
    }

    private func taken(_ message: OpaquePointer?) -> Message? {
        guard let message else { return nil }
        defer { natsMsg_Destroy(message) }
        var id: UnsafePointer<CChar>?
        natsMsgHeader_Get(message, "Nats-Msg-Id", &id)
        let bytes = UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: Int(natsMsg_GetDataLength(message)))
        return Message(
            sequence: natsMsg_GetSequence(message), id: id.map { String(cString: $0) } ?? "", bytes: Array(bytes))
    }

    /// Makes a call again until it succeeds, or patience has ended.
    private func retry(_ what: String, _ call: () -> (natsStatus, jsErrCode?)) throws(DurabilityError) {
        let start = ContinuousClock.now
        var pause = Int32(10)
        while true {
            let (status, code) = call()
            if status == NATS_OK { return }
            if status == NATS_INVALID_ARG || status == NATS_MAX_PAYLOAD || ContinuousClock.now - start > cluster.patience {
                let text = natsStatus_GetText(status).map { String(cString: $0) } ?? "\(status)"
                let error = code.map { $0.rawValue == 0 ? "" : " (\($0.rawValue))" } ?? ""
                throw .storage("NATS, to \(what): \(text)\(error)")
            }
            poll(nil, 0, pause)
            pause = min(500, pause * 2)
        }
    }
}
