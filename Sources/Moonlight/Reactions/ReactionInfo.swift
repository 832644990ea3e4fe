import Streams
import Synchronization

/// A reaction that is in flight: what the state asks for, and work is under way.
public struct ReactionInfo: Sendable, Hashable {
    /// The query or the key, described.
    public let key: String
    /// The child whose it is; see ``Streams/Publisher/located(at:)``.
    public let path: ScopePath
    /// When its stream was started.
    public let since: ContinuousClock.Instant
}

/// The reactions of one loop that are in flight. To add and to remove one costs the same however many there are.
final class Reactions: LoopService {
    /// By number, in the order of which they were started.
    private let members = Lock<(infos: [Int: ReactionInfo], made: Int)>(([:], 0))

    var list: [ReactionInfo] { members.withLock { $0.infos }.sorted { $0.key < $1.key }.map(\.value) }

    var isEmpty: Bool { members.withLock { $0.infos.isEmpty } }

    /// - Returns: The number to remove it by.
    func add(_ key: String, at path: ScopePath) -> Int {
        let info = ReactionInfo(key: key, path: path, since: .now)
        return members.withLock { members in
            members.made += 1
            members.infos[members.made] = info
            return members.made
        }
    }

    func remove(_ number: Int) {
        // Ids in the path are let go of outside the lock.
        let removed = members.withLock { $0.infos.removeValue(forKey: number) }
        discard(removed)
    }
}

extension LoopContext {
    var reactions: Reactions { service(Reactions.self) }
}

/// The stream of a reaction, which its loop lists as long as it runs.
struct ListedReaction<Upstream: Publisher>: GrammaticalPublisher where Upstream.Failure == Never {
    typealias Output = Upstream.Output
    typealias Failure = Never

    let upstream: Upstream
    let key: String

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        guard let member = subscriber._subscriberContext as? any LoopMember, let context = member.context else {
            return upstream._receive(trusting: subscriber, named: "Feedback")
        }
        // A loop that is being drained starts nothing new.
        if context.isDraining { return Empty().receive(subscriber: subscriber) }
        let number = context.reactions.add(key, at: member.path)
        upstream
            .handleEvents(
                receiveCompletion: { _ in context.reactions.remove(number) },
                receiveCancel: { context.reactions.remove(number) }
            )
            .receive(subscriber: ReactionSubscriber(downstream: subscriber, transit: Transit(context)))
    }
}

/// Sends in the name of a reaction. Let go of when the reaction has ended, and then tells the loop.
private struct ReactionSubscriber<Downstream: Subscriber>: PassingSubscriber where Downstream.Failure == Never {
    typealias Failure = Never

    let downstream: Downstream
    let transit: Transit

    func receive(_ event: Downstream.Input) -> Subscribers.Demand {
        DeliveryOrigin.with(transit) { downstream.receive(event) }
    }
}
