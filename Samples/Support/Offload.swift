import Dispatch
import Synchronization

/// Tells work that blocks a thread that nobody wants it any more.
public final class StopSign: Sendable {
    private struct State {
        var isSet = false
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// A sign that is not set.
    public init() {}

    /// Whether the work is to stop.
    public var isSet: Bool { state.withLock { $0.isSet } }

    /// Says how to wake the work from a call that blocks: at once if the sign is set, else when it will be. What was said
    /// before is forgotten.
    public func wake(by wake: (@Sendable () -> Void)?) {
        let isSet = state.withLock { state in
            state.wake = wake
            return state.isSet
        }
        if isSet { wake?() }
    }

    /// Sets the sign.
    public func set() {
        let wake = state.withLock { state in
            state.isSet = true
            return state.wake
        }
        wake?()
    }
}

/// Does work that blocks on a thread of its own, away from the few that asynchronous code shares.
///
/// ```swift
/// let text = try await offload { stop in try readSlowly(until: stop) }
/// ```
/// - Parameter work: Given the sign that is set when the calling task is cancelled. It is waited for also then: when this is
///   back, nothing of the work goes on.
public func offload<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable (StopSign) throws(Failure) -> Value
) async throws(Failure) -> Value {
    let stop = StopSign()
    let result: Result<Value, Failure> = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            // A serial queue has a thread to itself while it blocks; those of a concurrent one are as few as the processors.
            DispatchQueue(label: "samples.offload").async {
                do throws(Failure) {
                    continuation.resume(returning: .success(try work(stop)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    } onCancel: {
        stop.set()
    }
    return try result.get()
}
