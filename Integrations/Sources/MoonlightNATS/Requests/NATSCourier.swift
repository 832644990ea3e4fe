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

    /// Starts to answer requests to a name.
    public func listen(
        as name: String, _ answer: @escaping @Sendable ([UInt8]) async -> [UInt8]
    ) async throws -> any Listening {
        let subject = subject(of: name)
        return try await onQueue {
            let jetStream = try JetStream.shared(self.cluster)
            return try Ear(jetStream, subject: subject) { request in
                guard let reply = request.reply else { return }
                Task.detached {
                    let bytes = await answer(request.bytes)
                    natsConnection_Publish(jetStream.connection, reply, bytes, Int32(bytes.count))
                }
            }
        }
    }

    /// Sends a request, and waits for the answer.
    public func ask(_ name: String, _ request: [UInt8], within time: Duration) async -> CourierAnswer {
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

/// The pending replies: one inbox for all requests, with a number for each.
private final class Replies: @unchecked Sendable {
    // Sound: the ear is set by `init`; pending requests are behind the lock.
    private let jetStream: JetStream
    private let inbox = "_INBOX.moonlight-\(JetStream.newID())"
    private let waiting: Waiting
    private let ear: Ear

    init(_ jetStream: JetStream) throws(DurabilityError) {
        self.jetStream = jetStream
        let waiting = Waiting()
        self.waiting = waiting
        let prefix = inbox.utf8.count + 1
        ear = try Ear(jetStream, subject: "\(inbox).*") { message in
            guard let number = UInt64(message.subject.dropFirst(prefix)) else { return }
            waiting.answer(number, message.isUnreached ? .unreached : .answered(message.bytes))
        }
    }

    func ask(_ subject: String, _ request: [UInt8], within time: Duration) async -> CourierAnswer {
        await withCheckedContinuation { waiter in
            let number = waiting.add(waiter)
            // At most some thousand years, so that the milliseconds fit in an Int.
            let milliseconds = Int(min(time, .seconds(1 << 40)) / .milliseconds(1))
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [waiting] in
                waiting.answer(number, .unanswered)
            }
            let status = natsConnection_PublishRequest(
                jetStream.connection, subject, "\(inbox).\(number)", request, Int32(request.count))
            // A request that is sent while the connection is lost may be buffered and sent later: the result is unknown.
            switch status {
            case NATS_OK: break
            case NATS_MAX_PAYLOAD:
                let largest = natsConnection_GetMaxPayload(jetStream.connection)
                waiting.answer(
                    number, .invalid("the request has \(request.count) bytes, a message at most \(largest)"))
            default: waiting.answer(number, .unreached)
            }
        }
    }

    private final class Waiting: Sendable {
        private let guarded = Mutex<(last: UInt64, waiters: [UInt64: CheckedContinuation<CourierAnswer, Never>])>((0, [:]))

        func add(_ waiter: CheckedContinuation<CourierAnswer, Never>) -> UInt64 {
            guarded.withLock { guarded in
                guarded.last += 1
                guarded.waiters[guarded.last] = waiter
                return guarded.last
            }
        }

        func answer(_ number: UInt64, _ answer: CourierAnswer) {
            guarded.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: answer)
        }
    }
}
