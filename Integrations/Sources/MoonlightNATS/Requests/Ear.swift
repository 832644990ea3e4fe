import CNATS
import MoonlightDurability
import MoonlightRouting
import Synchronization

/// Calls a closure with each message of a subject, on a thread of the C library, until it is released.
final class Ear: Listening, @unchecked Sendable {
    // Sound: the subscription is behind its lock; the library retains the closure until its last call has returned.
    struct Message: Sendable {
        let subject: String
        let reply: String?
        let bytes: [UInt8]
        /// True if the servers report that the subject has no listener.
        let isUnreached: Bool
        /// The reason why this is sent in place of a reply; nil for any other message.
        let refusal: String?
    }

    private let jetStream: JetStream
    private let subscription: Mutex<Subscription>

    private struct Subscription: @unchecked Sendable {
        // Sound: only used behind the lock.
        var pointer: OpaquePointer?
    }

    private final class Closure: Sendable {
        let take: @Sendable (Message) -> Void
        init(_ take: @escaping @Sendable (Message) -> Void) { self.take = take }
    }

    init(_ jetStream: JetStream, subject: String, _ take: @escaping @Sendable (Message) -> Void) throws(DurabilityError) {
        self.jetStream = jetStream
        let closure = Unmanaged.passRetained(Closure(take)).toOpaque()
        var pointer: OpaquePointer?
        let status = natsConnection_Subscribe(
            &pointer, jetStream.connection, subject,
            { _, _, message, closure in
                guard let message, let closure else { return }
                defer { natsMsg_Destroy(message) }
                Unmanaged<Closure>.fromOpaque(closure).takeUnretainedValue().take(
                    Message(
                        subject: natsMsg_GetSubject(message).map { String(cString: $0) } ?? "",
                        reply: natsMsg_GetReply(message).map { String(cString: $0) }, bytes: message.messageBytes,
                        isUnreached: natsMsg_IsNoResponders(message), refusal: Ear.refusal(in: message)))
            }, closure)
        guard status == NATS_OK else {
            Unmanaged<Closure>.fromOpaque(closure).release()
            throw .storage("NATS, to listen to \(subject): \(JetStream.text(of: status))")
        }
        natsSubscription_SetOnCompleteCB(pointer, { Unmanaged<Closure>.fromOpaque($0!).release() }, closure)
        subscription = Mutex(Subscription(pointer: pointer))
    }

    deinit { end() }

    private static func refusal(in message: OpaquePointer) -> String? {
        var reason: UnsafePointer<CChar>?
        return natsMsgHeader_Get(message, JetStream.refusal, &reason) == NATS_OK ? reason.map { String(cString: $0) } : nil
    }

    /// Stops receiving messages.
    func end() {
        let pointer = subscription.withLock { Subscription(pointer: $0.pointer.take()) }.pointer
        natsSubscription_Destroy(pointer)
    }
}

extension JetStream {
    /// The header of a message in place of a reply that cannot be sent.
    fileprivate static var refusal: String { "Moonlight-Refusal" }

    /// The largest number of bytes of a message without headers.
    var largestMessage: Int { Int(natsConnection_GetMaxPayload(connection)) }

    /// Sends the reason for which there is no reply.
    func refuse(_ reason: String, to subject: String) {
        var message: OpaquePointer?
        guard natsMsg_Create(&message, subject, nil, nil, 0) == NATS_OK else { return }
        defer { natsMsg_Destroy(message) }
        natsMsgHeader_Set(message, Self.refusal, reason)
        natsConnection_PublishMsg(connection, message)
    }
}
