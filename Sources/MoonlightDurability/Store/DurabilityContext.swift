import Streams
import Synchronization

/// The work that is being done: a stream of effects whose beginning and end are noted in the log.
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
/// ``current`` is set while the stream is subscribed to, in each body of a `run` in it, and wherever the stream goes on by itself: behind
/// `delay` and other operators that use a scheduler, in each attempt of a `retry`, in `Deferred` and in the closure of `flatMap`. A
/// closure of another operator that a thread from elsewhere calls, such as that of `map` behind a callback, may not see it.
public struct DurableWork: Sendable, Hashable {
    /// The key: the same for each attempt at this work, and for no other work. A partner that is given it can tell a repetition.
    public let key: String
    /// Which attempt this is, from 1.
    public let attempt: Int

    /// The work that is being done; nil outside of any, and in a store that does not note work.
    public static var current: DurableWork? { DurabilityContext.work }
}

enum DurabilityContext {
    @TaskLocal static var work: DurableWork?
    /// What the sender of an event has to say about it.
    @TaskLocal static var errand: Errand?
}

/// What the sender of one event has to say about it. It counts for that event alone, not for those that follow from it.
class Errand: @unchecked Sendable {
    // Sound: atomic. Subclasses answer for what they add.
    private let isTaken = Atomic<Bool>(false)

    /// Whether the event has not been handled yet.
    var isPending: Bool { !isTaken.load(ordering: .acquiring) }

    func take() { isTaken.store(true, ordering: .releasing) }
}

/// The event takes up interrupted work again.
final class RetryErrand: Errand, @unchecked Sendable {
    // Sound: immutable.
    let number: UInt64
    let key: String
    let attempt: UInt32

    init(number: UInt64, key: String, attempt: UInt32) {
        self.number = number
        self.key = key
        self.attempt = attempt
    }
}

/// The event is taken once.
final class KeyedErrand<State>: Errand, @unchecked Sendable {
    // Sound: the answer is behind its lock, the rest is immutable. The closure is Sendable where it is given.
    let key: String
    private let read: (@Sendable (State) throws -> [UInt8])?
    private let guarded = Lock<Result<KeyedAnswer, DurabilityError>?>(nil)

    init(key: String, read: (@Sendable (State) throws -> [UInt8])?) {
        self.key = key
        self.read = read
    }

    /// What has been answered; nil if the event was not taken.
    var answer: Result<KeyedAnswer, DurabilityError>? { guarded.withLock { $0 } }

    func answer(with answer: KeyedAnswer) { guarded.withLock { $0 = .success(answer) } }

    /// Makes the answer to an event that was handled.
    ///
    /// - Parameter room: The most bytes that it may have beside the key: of a longer reason, the beginning is kept, and a longer reading
    ///   is none.
    func answer(after state: State, rejection: String?, at now: Int64, room: Int) -> KeyedAnswer {
        var reading: [UInt8] = []
        if rejection == nil, let read {
            do {
                reading = try read(state)
                guard reading.count <= room else {
                    throw DurabilityError.unwritable("the reading has \(reading.count) bytes, and the log has room for \(room)")
                }
            } catch {
                let failure = error as? DurabilityError ?? .unwritable("\(error)")
                guarded.withLock { $0 = .failure(failure) }
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
}
