import Moonlight
import MoonlightTestSupport
import Streams

@_spi(Storage) @testable import MoonlightDurability

/// The environment of a program in a real store: the test answers its calls, and knows when all its bodies wait or have ended.
final class ScriptStage: Sendable {
    fileprivate struct Observed {
        /// The number of running bodies and of subscribed streams and jobs. A body that waits for an answer does not run.
        var counts: [DrawnProgram.Part: Int] = [:] { didSet { changes += 1 } }
        var changes = 0
        var waiting: [(call: Int, waiter: CheckedContinuation<Void, Never>)] = []
        var cancelled: Set<Int> = []
    }

    private let observed = Lock(Observed())
    let scheduler = VirtualTimeScheduler()

    /// The number of beginnings and ends.
    var changes: Int { observed.withLock { $0.changes } }

    /// Returns whether nothing is in progress: no body runs, and the store has exactly the streams and jobs that have begun and
    /// not ended.
    func isStill(_ live: [DrawnProgram.Part: Int]) -> Bool {
        observed.withLock { observed in observed.counts.filter { $0.value != 0 } == live.filter { $0.value != 0 } }
    }

    var environment: DrawnProgram.Environment {
        .init(
            call: { [self] in await answer(to: $0) }, scheduler: scheduler.eraseToAnyScheduler(),
            begins: { [self] part in observed.withLock { $0.counts[part, default: 0] += 1 } },
            ends: { [self] part in observed.withLock { $0.counts[part, default: 0] -= 1 } })
    }

    /// Returns the answer to a call, which depends on its number. Waits for the test, or until the caller is cancelled.
    private func answer(to call: Int) async -> Int {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let waits = observed.withLock { observed in
                    if observed.cancelled.contains(call) { return false }
                    observed.waiting.append((call, waiter))
                    observed.counts[.body, default: 0] -= 1
                    return true
                }
                if !waits { waiter.resume() }
            }
        } onCancel: {
            let waiter = observed.withLock { observed in
                observed.cancelled.insert(call)
                return observed.take { $0 == call }
            }
            waiter?.resume()
        }
        return Self.value(of: call)
    }

    static func value(of call: Int) -> Int { 100 + call }

    /// Answers the oldest pending call, and returns its number.
    func answer() -> Int? {
        let call = observed.withLock { $0.waiting.first?.call }
        guard let call else { return nil }
        observed.withLock { $0.take { $0 == call } }?.resume()
        return call
    }
}

extension ScriptStage.Observed {
    /// Removes a waiting call, whose body then runs.
    fileprivate mutating func take(_ isIt: (Int) -> Bool) -> CheckedContinuation<Void, Never>? {
        guard let place = waiting.firstIndex(where: { isIt($0.call) }) else { return nil }
        counts[.body, default: 0] += 1
        return waiting.remove(at: place).waiter
    }
}
