import Dispatch
import Streams
import Synchronization

extension HistoryEnvironment {
    /// Answers from a die and from a list of lines.
    ///
    /// Which answer it is, is settled when it is asked for; it arrives later, between half the delay and one and a half, so
    /// that one may overtake another. Without a delay it is there at once. The same seed gives the same answers, whatever
    /// the delay.
    static func live(seed: UInt64, lines: [String], delay: Int) -> HistoryEnvironment {
        live(seed: seed, lines: lines, delay: delay, scheduler: DispatchQueue(label: "history.answers"))
    }

    /// The same with any idea of time, as tests need it.
    static func live(
        seed: UInt64, lines: [String], delay: Int, scheduler: some Scheduler & Sendable
    ) -> HistoryEnvironment {
        let die = Mutex(SplitMix64(seed: seed))
        let jitter = Mutex(SplitMix64(seed: ~seed))
        let nextLine = Mutex(0)

        @Sendable func answer<Value: Sendable>(_ value: Value) -> AnyPublisher<Value, Never> {
            guard delay > 0 else { return Just(value).eraseToAnyPublisher() }
            let wait = delay / 2 + jitter.withLock { $0.next(below: delay + 1) }
            return Just(value).delay(for: .milliseconds(wait), scheduler: scheduler).eraseToAnyPublisher()
        }
        return HistoryEnvironment(
            number: { answer(1 + die.withLock { $0.next(below: 6) }) },
            text: {
                answer(
                    nextLine.withLock { next in
                        defer { next = (next + 1) % lines.count }
                        return lines[next]
                    })
            })
    }

    /// The same, giving back a permit for each answer that is no longer due.
    func limited(by limit: Limit) -> HistoryEnvironment {
        @Sendable func limited<Value>(_ answers: AnyPublisher<Value, Never>) -> AnyPublisher<Value, Never> {
            answers
                .handleEvents(receiveCompletion: { _ in limit.release() }, receiveCancel: { limit.release() })
                .eraseToAnyPublisher()
        }
        return HistoryEnvironment(number: { limited(number()) }, text: { limited(text()) })
    }
}

/// How many answers may be due at once.
///
/// Whoever asks takes a permit first, and waits for one if need be; so input is read no faster than it is answered.
final class Limit: Sendable {
    private let permits: DispatchSemaphore

    init(_ count: Int) {
        // A semaphore that is released with fewer permits than it was made with traps; one that starts from nothing cannot.
        permits = DispatchSemaphore(value: 0)
        for _ in 0..<count { permits.signal() }
    }

    /// Takes a permit, when there is one.
    func acquire() { permits.wait() }

    /// Takes a permit, if there is one now.
    func tryAcquire() -> Bool { permits.wait(timeout: .now()) == .success }

    /// Gives a permit back.
    func release() { permits.signal() }
}
