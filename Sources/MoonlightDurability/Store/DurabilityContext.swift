import Streams
import Synchronization

/// The work of the current task: a stream of effects whose beginning and end are in the log.
///
/// ```swift
/// case .pay(let order):
///     guard state.unpaid.contains(order) else { throw Rejection("there is no such order to pay") }
///     return .run { send in
///         send(.paid(order, receipt: try await world.pay(order, DurableWork.current?.key)))
///     } catch: { _ in
///         .lost(order)
///     }.job(order).eraseToAnyPublisher()
/// ```
/// ``current`` is set while the stream is subscribed to, in each body of a `run` in it, and where the stream continues by itself:
/// downstream of `delay` and other operators with a scheduler, in each attempt of a `retry`, in `Deferred` and in the closure of
/// `flatMap`. Other closures that are called on a foreign thread, such as that of `map` after a callback, may not see it.
/// It is nil upstream of `share` and `multicast`, whose work belongs to every stream that shares it.
public struct DurableWork: Sendable, Hashable {
    /// The idempotency key: the same for each attempt at this work, and for no other work.
    public let key: String
    /// The number of the attempt, from 1.
    public let attempt: Int

    /// The work of the current task; nil outside of work, and in a store that does not record work.
    public static var current: DurableWork? { DurabilityContext.work }
}

enum DurabilityContext {
    @TaskLocal static var work: DurableWork?
    /// The request of the sender of an event.
    @TaskLocal static var request: SenderRequest?
}

/// A request that a sender attaches to one event. It does not count for the events that follow from it.
class SenderRequest: @unchecked Sendable {
    // Sound: atomic. Subclasses must justify their additions.
    private let isTaken = Atomic<Bool>(false)

    /// True until the event is handled.
    var isPending: Bool { !isTaken.load(ordering: .acquiring) }

    func take() { isTaken.store(true, ordering: .releasing) }
}

/// A request to begin the next attempts at interrupted work.
final class RetryRequest<Event>: SenderRequest, @unchecked Sendable {
    // Sound: only the loop's owner uses the variable, and the events are Sendable where the request is made.
    /// The work of the event that has no next attempt yet, in the order of its streams.
    private(set) var works: [OpenWork<Event>]
    private let isSingle: Bool

    init(_ works: [OpenWork<Event>]) {
        self.works = works
        isSingle = works.count == 1
    }

    /// Returns the work whose next attempt is the next stream of the event; nil if there is none.
    func work(of job: String) -> OpenWork<Event>? { isSingle ? works.first : works.first { $0.job == job } }

    func remove(_ work: OpenWork<Event>) { works.removeAll { $0.number == work.number } }
}

/// A request to take the event once, by its idempotency key.
final class KeyedRequest<State>: SenderRequest, @unchecked Sendable {
    // Sound: the answer is behind its lock, the rest is immutable. The closure is Sendable where it is given.
    let key: String
    private let read: (@Sendable (State) throws -> [UInt8])?
    private let guarded = Lock<Result<KeyedAnswer, DurabilityError>?>(nil)

    init(key: String, read: (@Sendable (State) throws -> [UInt8])?) {
        self.key = key
        self.read = read
    }

    /// The answer; nil if the event was not handled.
    var answer: Result<KeyedAnswer, DurabilityError>? { guarded.withLock { $0 } }

    /// The encoded reading in the answer.
    var reading: [UInt8] {
        get throws(DurabilityError) {
            guard let answer = try answer?.get() else { throw .closed }
            // Encoded values are never empty.
            guard !answer.reading.isEmpty else {
                throw .unwritable("the first event with the key has left no reading, or one that its codec refuses")
            }
            return answer.reading
        }
    }

    func answer(with answer: KeyedAnswer) { guarded.withLock { $0 = .success(answer) } }

    /// Returns the answer to an event that was handled.
    ///
    /// - Parameter room: The maximal number of bytes that it may have in addition to the key. A longer reason is truncated, and a
    ///   longer reading is an error.
    func answer(after state: State, rejection: String?, at now: Int64, room: Int) -> KeyedAnswer {
        var reading: [UInt8] = []
        if rejection == nil, let read {
            do throws(DurabilityError) { reading = try Self.bytes(of: read, state, room) } catch {
                guarded.withLock { $0 = .failure(error) }
                return KeyedAnswer(key: key, time: now, rejection: nil, reading: [])
            }
        }
        let rejection = rejection.map {
            $0.utf8.count <= room ? $0 : String(decoding: $0.utf8.prefix(max(room - 3, 0)), as: UTF8.self)
        }
        let answer = KeyedAnswer(key: key, time: now, rejection: rejection, reading: reading)
        self.answer(with: answer)
        return answer
    }

    private static func bytes(
        of read: (State) throws -> [UInt8], _ state: State, _ room: Int
    ) throws(DurabilityError) -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try read(state) } catch { throw .unwritable(because: error) }
        guard bytes.count <= room else {
            throw .unwritable("the reading has \(bytes.count) bytes, and the log has room for \(room)")
        }
        return bytes
    }
}
