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

extension Publisher where Failure == Never {
    /// Returns this stream as that of a reaction, which is in its loop's list while it runs.
    func listed(for key: some Any) -> AnyPublisher<Output, Never> {
        .placed { place in
            guard let place else { return (AnyPublisher(self), nil, nil) }
            let context = place.context
            // A loop that is being drained starts no new reactions.
            if context.isDraining { return (.none, nil, nil) }
            let number = context.reactions.add(String(describing: key), at: place.path)
            let own = context.captureContext().map { LoopPlace(context, at: place.path, locals: StreamLocals($0)) }
            let marker = TaskPlace.executor as? any ReactionMarker
            let stream = (marker?.marked(AnyPublisher(self), key: key) ?? AnyPublisher(self)).handleEvents(
                receiveCompletion: { _ in context.reactions.remove(number) },
                receiveCancel: { context.reactions.remove(number) })
            return (AnyPublisher(stream), own ?? place, Transit(context))
        }
    }
}
