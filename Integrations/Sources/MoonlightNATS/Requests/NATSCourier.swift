import CNATS
import Dispatch
import MoonlightDurability
public import MoonlightRouting
import Synchronization

/// Requests and replies on a NATS cluster. Each process listens to its own subject.
public final class NATSCourier: Courier {
    private let name: String
    private let cluster: NATS
    private let replies = Mutex<Replies?>(nil)
    private let queue = DispatchQueue(label: "moonlight.courier", attributes: .concurrent)

    /// Creates a courier. Nothing is connected yet.
    ///
    /// - Parameters:
    ///   - fleet: The name of the fleet: letters, digits, `-` and `_`.
    ///   - cluster: The servers.
    public init(_ fleet: String, in cluster: NATS) {
        precondition(MemberSubjects.isName(fleet), "the name of a fleet may only contain letters, digits, - and _: \(fleet)")
        (name, self.cluster) = (fleet, cluster)
    }

    private func subject(of node: String) -> String { "moonlight-ask.\(name).\(node)" }

    /// The fault of a name with which a subject would be another one, or several.
    private static func fault(in name: String) -> String {
        "the name of a process may only contain letters, digits, - and _, with single dots between them: \(name.debugDescription)"
    }

    /// Starts to answer requests to a name.
    public func listen(
        as name: String, _ answer: @escaping @Sendable ([UInt8]) async -> [UInt8]
    ) async throws -> any Listening {
        guard MemberSubjects.isEnd(name) else { throw DurabilityError.unwritable(Self.fault(in: name)) }
        let subject = subject(of: name)
        return try await onQueue {
            let jetStream = try JetStream.shared(self.cluster)
            return try Ear(jetStream, subject: subject) { request in
                guard let reply = request.reply else { return }
                Task.detached {
                    let bytes = await answer(request.bytes)
                    let largest = jetStream.largestMessage
                    if bytes.count <= largest {
                        natsConnection_Publish(jetStream.connection, reply, bytes, Int32(bytes.count))
                    } else {
                        jetStream.refuse("the answer has \(bytes.count) bytes, a message at most \(largest)", to: reply)
                    }
                }
            }
        }
    }

    /// Sends a request, and waits for the answer.
    public func ask(_ name: String, _ request: [UInt8], within time: Duration) async -> CourierAnswer {
        guard MemberSubjects.isEnd(name) else { return .invalid(Self.fault(in: name)) }
        let subject = subject(of: name)
        guard let replies = try? await onQueue({ try self.opened() }) else { return .unreached }
        return await replies.ask(subject, request, within: time)
    }

    private func opened() throws -> Replies {
        if let replies = replies.withLock({ $0 }) { return replies }
        let made = try Replies(JetStream.shared(cluster))
        return replies.withLock { replies in
            // Another call may have created them meanwhile.
            if let replies { return replies }
            replies = made
            return made
        }
    }

    /// Runs a closure that may block.
    private func onQueue<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { waiter in
            queue.async { waiter.resume(with: Swift.Result { try body() }) }
        }
    }
}

/// The replies to this process: one inbox for all requests, with a number for each.
private final class Replies: @unchecked Sendable {
    // Sound: all properties are immutable, and the C library's connection can be used from any thread.
    private let jetStream: JetStream
    private let inbox = "_INBOX.moonlight-\(JetStream.newID())"
    private let pending: PendingReplies
    private let ear: Ear

    init(_ jetStream: JetStream) throws(DurabilityError) {
        self.jetStream = jetStream
        let pending = PendingReplies()
        self.pending = pending
        let prefix = inbox.utf8.count + 1
        ear = try Ear(jetStream, subject: "\(inbox).*") { message in
            guard let number = UInt64(message.subject.dropFirst(prefix)) else { return }
            pending.answer(number, message.answer)
        }
    }

    func ask(_ subject: String, _ request: [UInt8], within time: Duration) async -> CourierAnswer {
        let largest = jetStream.largestMessage
        guard request.count <= largest else {
            return .invalid("the request has \(request.count) bytes, a message at most \(largest)")
        }
        return await pending.wait(within: time) { number in
            // A request that is sent while the connection is lost may be buffered and sent later: the result is unknown.
            let status = natsConnection_PublishRequest(
                jetStream.connection, subject, "\(inbox).\(number)", request, Int32(request.count))
            if status != NATS_OK { pending.answer(number, .unreached) }
        }
    }
}

extension Ear.Message {
    /// The answer in a reply.
    fileprivate var answer: CourierAnswer {
        if isUnreached { return .unreached }
        return refusal.map { .unanswerable($0) } ?? .answered(bytes)
    }
}
