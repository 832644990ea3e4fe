import Streams
import Synchronization

/// The reactions of one loop that are in flight.
///
/// - Complexity: O(1) to add or remove a reaction, O(*n* log *n*) to list *n* of them.
final class Reactions: LoopService {
    private let members = Lock(Numbered<LiveWork>())
    private let count = Atomic<Int>(0)

    /// Returns the number of a reaction that is subscribed to, which distinguishes its streams from those of others.
    func number() -> Int {
        let number = count.add(1, ordering: .relaxed).oldValue
        (TaskPlace.executor as? any ReactionMarker)?.begin(number)
        return number
    }

    /// The reactions, in the order in which they were started.
    var list: [LiveWork] { Array(members.withLock { $0 }) }

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
    /// Notes that a reaction is subscribed to in this place.
    ///
    /// - Parameter number: The number of the reaction among those of its loop.
    func begin(_ number: Int)

    /// Returns the stream of a reaction, marked.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - key: The query or the key for which the stream was created.
    ///   - number: The number of the reaction among those of its loop.
    func marked<Event>(_ stream: AnyPublisher<Event, Never>, key: Any, of number: Int) -> AnyPublisher<Event, Never>
}

extension Publisher where Failure == Never {
    /// Returns this stream as that of a reaction, which is in its loop's list while it runs.
    ///
    /// - Parameters:
    ///   - key: The query or the key for which the stream was created.
    ///   - reaction: The number of the reaction; nil outside a loop.
    func listed(for key: some Any, of reaction: Int?) -> AnyPublisher<Output, Never> {
        .placed { place in
            guard let place else { return (erased, nil, nil) }
            let context = place.context
            // A loop that is being drained starts no new reactions.
            if context.isDraining { return (.none, nil, nil) }
            let number = context.reactions.add(String(describing: key), at: place.path)
            let own = context.captureContext().map { LoopPlace(context, at: place.path, locals: StreamLocals($0)) }
            let marker = TaskPlace.executor as? any ReactionMarker
            let stream = (marker?.marked(erased, key: key, of: reaction ?? 0) ?? erased).handleEvents(
                receiveCompletion: { _ in context.reactions.remove(number) },
                receiveCancel: { context.reactions.remove(number) })
            return (AnyPublisher(storing: .hiding(stream)), own ?? place, Transit(context))
        }
    }
}
