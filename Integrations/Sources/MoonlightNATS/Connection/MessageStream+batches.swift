import CNATS
import MoonlightDurability

// Batches: all messages are sent before the first answer is awaited.
extension MessageStream {
    /// Appends messages, each to a different subject.
    ///
    /// - Returns: For each, its number in the stream; nil if the last message of its subject is not the expected one.
    /// - Throws: An error if the servers have not answered in time. It is then unknown which messages were appended.
    func publish(_ batch: [Publication]) throws(DurabilityError) -> [UInt64?] {
        var answers = batch.count > 1 ? sent(batch) : []
        answers += Array(repeating: .none, count: batch.count - answers.count)
        var places: [UInt64?] = []
        for (publication, answer) in zip(batch, answers) {
            // Messages without an answer are sent again, with the same id. A conflict is examined, because the message may
            // conflict with its own earlier attempt.
            if case .appended(let place) = answer { places.append(place) } else { try places.append(publish(publication)) }
        }
        return places
    }

    enum Answer: Equatable {
        case appended(UInt64)
        case none
    }

    /// Sends messages, and returns the answers that arrive in time.
    private func sent(_ batch: [Publication]) -> [Answer] {
        var answers = [Answer](repeating: .none, count: batch.count)
        let inbox = "_INBOX.moonlight-\(JetStream.newID())"
        var subscription: OpaquePointer?
        guard natsConnection_SubscribeSync(&subscription, jetStream.connection, "\(inbox).*") == NATS_OK else { return answers }
        defer { natsSubscription_Destroy(subscription) }
        var waiting = 0
        for (place, publication) in batch.enumerated() {
            let message = Self.made(publication, reply: "\(inbox).\(place)")
            defer { natsMsg_Destroy(message) }
            if natsConnection_PublishMsg(jetStream.connection, message) == NATS_OK { waiting += 1 }
        }
        let end = ContinuousClock.now + .seconds(2)
        while waiting > 0, ContinuousClock.now < end {
            var message: OpaquePointer?
            let rest = Int64((end - ContinuousClock.now) / .milliseconds(1))
            guard natsSubscription_NextMsg(&message, subscription, max(1, rest)) == NATS_OK, let message else { break }
            defer { natsMsg_Destroy(message) }
            waiting -= 1
            let subject = natsMsg_GetSubject(message).map { String(cString: $0) } ?? ""
            guard let place = Int(subject.dropFirst(inbox.utf8.count + 1)), answers.indices.contains(place) else { continue }
            answers[place] = Self.answer(message.messageBytes)
        }
        return answers
    }

    private struct Acknowledgment: Codable {
        let seq: UInt64?
    }

    /// Decodes an answer of the servers.
    static func answer(_ bytes: [UInt8]) -> Answer {
        guard let acknowledgment = try? Codec<Acknowledgment>.json.decode(bytes), let place = acknowledgment.seq, place > 0 else {
            return .none
        }
        return .appended(place)
    }
}
