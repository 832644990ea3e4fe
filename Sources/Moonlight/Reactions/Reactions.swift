import Streams
import Synchronization

/// The reactions of one loop that are in flight.
///
/// - Complexity: O(1) to add or remove a reaction, O(*n* log *n*) to list *n* of them.
final class Reactions: LoopService {
    private let members = Lock(Numbered<LiveWork>())

    /// The reactions, in the order in which they were started.
    var list: [LiveWork] { members.withLock { $0 }.inOrder }

    /// Adds a reaction.
    ///
    /// - Returns: The number to pass to ``remove(_:)``.
    func add(_ key: String, at path: ScopePath) -> Int {
        let work = LiveWork(kind: .reaction(key), path: path, event: nil, cause: nil, since: .now)
        return members.withLock { $0.add(work) }
    }

    /// Removes the reaction with a number.
    func remove(_ number: Int) {
        // The ids in the path are released outside the lock.
        discard(members.withLock { $0.remove(number) })
    }
}

extension LoopContext {
    var reactions: Reactions { service(Reactions.self) }
}

/// An executor that marks the streams of reactions that are started in its place, so that tests can distinguish their work from
/// that of other feedback.
package protocol ReactionMarker {
    /// Returns the stream of a reaction, marked.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - key: The query or the key for which the stream was created.
    func marked<Event>(_ stream: AnyPublisher<Event, Never>, key: Any) -> AnyPublisher<Event, Never>
}

/// The stream of a reaction, which is in its loop's list while it runs.
struct ListedReaction<Upstream: Publisher, Key>: GrammaticalPublisher where Upstream.Failure == Never {
    typealias Output = Upstream.Output
    typealias Failure = Never

    let upstream: Upstream
    let key: Key

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        guard let place = subscriber.loopPlace else {
            return upstream._receive(trusting: subscriber, named: "Feedback")
        }
        // A loop that is being drained starts no new reactions.
        let context = place.context
        if context.isDraining { return Empty().receive(subscriber: subscriber) }
        let number = context.reactions.add(String(describing: key), at: place.path)
        let own = context.captureContext().map { LoopPlace(context, at: place.path, locals: StreamLocals($0)) }
        if let marker = TaskPlace.executor as? any ReactionMarker {
            follow(marker.marked(AnyPublisher(upstream), key: key), number, context, own, subscriber)
        } else {
            follow(upstream, number, context, own, subscriber)
        }
    }

    private func follow<P: Publisher<Output, Never>, S: Subscriber<Output, Never>>(
        _ stream: P, _ number: Int, _ context: LoopContext, _ place: LoopPlace?, _ subscriber: S
    ) {
        stream
            .handleEvents(
                receiveCompletion: { _ in context.reactions.remove(number) },
                receiveCancel: { context.reactions.remove(number) }
            )
            .receive(subscriber: ReactionSubscriber(downstream: subscriber, transit: Transit(context), place: place))
    }
}

/// The subscriber that marks the events of a reaction as in transit (``Transit``). It is released when the reaction has ended;
/// the loop then checks whether anything is still in flight.
private struct ReactionSubscriber<Downstream: Subscriber>: PassingSubscriber where Downstream.Failure == Never {
    typealias Failure = Never

    let downstream: Downstream
    let transit: Transit
    /// The place of the reaction, if task-locals are carried with it.
    let place: LoopPlace?

    var _subscriberContext: AnyObject? { place ?? downstream._subscriberContext }

    func receive(_ event: Downstream.Input) -> Subscribers.Demand {
        WorkContext.with(origin: transit) { downstream.receive(event) }
    }
}
