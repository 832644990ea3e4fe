import CNATS
import MoonlightDurability
import StorageSupport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A stream of messages, which the servers store by subject.
struct MessageStream: Sendable {
    struct Message {
        let sequence: UInt64
        let id: String
        let bytes: [UInt8]
    }

    /// A message to append.
    struct Publication {
        let subject: String
        let bytes: [UInt8]
        /// The expected last message of the subject; 0 for none, nil for any.
        let expected: UInt64?
        /// True if the message replaces all messages of the subject.
        var replaces = false
        /// The id of the message. If the answer to an earlier attempt was lost, the servers do not append the message again.
        let id = JetStream.newID()
    }

    let jetStream: JetStream
    let name: String

    /// Creates the stream if it does not exist.
    init(_ jetStream: JetStream, name: String, subjects pattern: String) throws(DurabilityError) {
        self.jetStream = jetStream
        self.name = name
        let (text, subject) = (strdup(name), strdup(pattern))
        defer {
            free(text)
            free(subject)
        }
        var subjects = [UnsafePointer<CChar>(subject)]
        var config = jsStreamConfig()
        jsStreamConfig_Init(&config)
        (config.Name, config.SubjectsLen, config.Storage) = (UnsafePointer(text), 1, js_FileStorage)
        (config.Replicas, config.AllowDirect, config.AllowRollup) = (Int64(jetStream.cluster.replicas), true, true)
        let context = jetStream.context
        try subjects.withUnsafeMutableBufferPointer { buffer throws(DurabilityError) in
            config.Subjects = buffer.baseAddress
            try jetStream.retry("make the stream \(name)") {
                var code = jsErrCode(0)
                let status = js_AddStream(nil, context, &config, nil, &code)
                // Another process has created it, possibly with another configuration.
                if code.rawValue == 10058 { return (js_GetStreamInfo(nil, context, name, nil, nil), nil) }
                return (status, code)
            }
        }
    }

    /// Appends a message to a subject whose last message is as expected.
    ///
    /// - Returns: The number of the message in the stream; nil if the last message is not the expected one.
    func publish(_ publication: Publication) throws(DurabilityError) -> UInt64? {
        var (sequence, isConflict) = (UInt64(0), false)
        try jetStream.retry("append") {
            var (acknowledgment, code) = (UnsafeMutablePointer<jsPubAck>?.none, jsErrCode(0))
            let message = Self.made(publication, reply: nil)
            defer { natsMsg_Destroy(message) }
            let status = js_PublishMsg(&acknowledgment, jetStream.context, message, nil, &code)
            if let acknowledgment {
                sequence = acknowledgment.pointee.Sequence
                jsPubAck_Destroy(acknowledgment)
            }
            // The last message of the subject is not the expected one. It may be this one.
            if code.rawValue == Self.wrongLast {
                isConflict = true
                return (NATS_OK, nil)
            }
            return (status, code)
        }
        guard isConflict else { return sequence }
        guard let last = try last(of: publication.subject), last.id == publication.id else { return nil }
        return last.sequence
    }

    /// The code of the error for an unexpected last message of the subject.
    static var wrongLast: UInt32 { 10071 }

    /// Creates a message of the C library, which the caller destroys.
    static func made(_ publication: Publication, reply: String?) -> OpaquePointer? {
        var message: OpaquePointer?
        let (bytes, count) = (publication.bytes, Int32(publication.bytes.count))
        _ = bytes.withUnsafeBytes {
            natsMsg_Create(&message, publication.subject, reply, $0.bindMemory(to: CChar.self).baseAddress, count)
        }
        natsMsgHeader_Set(message, "Nats-Msg-Id", publication.id)
        if let expected = publication.expected {
            natsMsgHeader_Set(message, "Nats-Expected-Last-Subject-Sequence", "\(expected)")
        }
        if publication.replaces { natsMsgHeader_Set(message, "Nats-Rollup", "sub") }
        return message
    }

    /// Returns the last message of a subject, according to the leader of the stream.
    func last(of subject: String) throws(DurabilityError) -> Message? {
        var message: OpaquePointer?
        try jetStream.retry("read the last message") {
            var code = jsErrCode(0)
            let status = js_GetLastMsg(&message, jetStream.context, name, subject, nil, &code)
            return status == NATS_NOT_FOUND || code.rawValue == Self.notFound ? (NATS_OK, nil) : (status, code)
        }
        return Self.taken(message)
    }

    /// Returns the first message of a subject from a position in the stream on, according to the leader of the stream.
    ///
    /// Replicas are not asked: in version 2.9, they may number the messages differently if a leader was lost while appends were
    /// refused. Reading one message from one server and the next from another could then skip a message.
    func next(of subject: String, from sequence: UInt64) throws(DurabilityError) -> Message? {
        var found: Message?
        let request = #"{"seq":\#(sequence),"next_by_subj":"\#(subject)"}"#
        try jetStream.retry("read a message") {
            var reply: OpaquePointer?
            let status = natsConnection_RequestString(
                &reply, jetStream.connection, "$JS.API.STREAM.MSG.GET.\(name)", request, 2000)
            guard status == NATS_OK, let reply else { return (status, nil) }
            defer { natsMsg_Destroy(reply) }
            guard let answer = try? Codec<Found>.json.decode(reply.messageBytes) else { return (NATS_ERR, nil) }
            found = answer.message.map { Message(sequence: $0.seq, id: "", bytes: Array($0.data ?? Data())) }
            if found != nil || answer.error?.err_code == Int(Self.notFound) { return (NATS_OK, nil) }
            return (NATS_ERR, answer.error.map { jsErrCode(rawValue: UInt32($0.err_code ?? 0)) })
        }
        return found
    }

    /// The answer of the servers to a request for a message.
    private struct Found: Codable {
        struct Content: Codable {
            let seq: UInt64
            let data: Data?
        }

        // swift-format-ignore: AlwaysUseLowerCamelCase
        struct Failure: Codable { let err_code: Int? }

        let message: Content?
        let error: Failure?
    }

    /// The code of the error for a missing message.
    static var notFound: UInt32 { 10037 }

    /// Reads all messages of a subject, up to one.
    ///
    /// - Parameter end: The last message for the leader of the stream.
    func forEachMessage(of subject: String, upTo end: UInt64, _ take: (Message) throws -> Void) throws {
        var (place, patience) = (UInt64(0), Patience(jetStream.cluster.patience, pause: 5))
        while place < end {
            if let message = try next(of: subject, from: place + 1) {
                try take(message)
                place = message.sequence
            } else {
                guard !patience.hasEnded else {
                    throw DurabilityError.storage("NATS: a replica is behind, and has not caught up with message \(end)")
                }
                patience.wait()
            }
        }
    }

    /// Removes messages of a subject: those before a position in the stream, or all but the last ones.
    func purge(_ subject: String, before sequence: UInt64 = 0, keeping count: UInt64 = 0) throws(DurabilityError) {
        let text = strdup(subject)
        defer { free(text) }
        var options = jsOptions()
        jsOptions_Init(&options)
        options.Stream.Purge.Subject = UnsafePointer(text)
        (options.Stream.Purge.Sequence, options.Stream.Purge.Keep) = (sequence, count)
        try jetStream.retry("purge") { (js_PurgeStream(jetStream.context, name, &options, nil), nil) }
    }

    /// Removes a message, if it is there.
    func remove(_ message: UInt64) throws(DurabilityError) {
        try jetStream.retry("remove a message") {
            var code = jsErrCode(0)
            let status = js_DeleteMsg(jetStream.context, name, message, nil, &code)
            return (code.rawValue == Self.notFound ? NATS_OK : status, code)
        }
    }

    /// Returns all subjects of the stream that match a pattern.
    func subjects(_ pattern: String) throws(DurabilityError) -> [String] {
        let text = strdup(pattern)
        defer { free(text) }
        var options = jsOptions()
        jsOptions_Init(&options)
        options.Stream.Info.SubjectsFilter = UnsafePointer(text)
        var info: UnsafeMutablePointer<jsStreamInfo>?
        try jetStream.retry("list subjects") {
            var code = jsErrCode(0)
            return (js_GetStreamInfo(&info, jetStream.context, name, &options, &code), code)
        }
        defer { jsStreamInfo_Destroy(info) }
        guard let list = info?.pointee.State.Subjects?.pointee else { return [] }
        return (0..<Int(list.Count)).compactMap { place in list.List[place].Subject.map { String(cString: $0) } }
    }

    private static func taken(_ message: OpaquePointer?) -> Message? {
        guard let message else { return nil }
        defer { natsMsg_Destroy(message) }
        var id: UnsafePointer<CChar>?
        natsMsgHeader_Get(message, "Nats-Msg-Id", &id)
        return Message(
            sequence: natsMsg_GetSequence(message), id: id.map { String(cString: $0) } ?? "", bytes: message.messageBytes)
    }
}

extension OpaquePointer {
    /// The bytes of a message of the C library.
    var messageBytes: [UInt8] {
        Array(UnsafeRawBufferPointer(start: natsMsg_GetData(self), count: Int(natsMsg_GetDataLength(self))))
    }
}
