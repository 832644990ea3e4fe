import Dispatch
import Streams

extension Duration {
    /// The whole nanoseconds; of a duration of more than 292 years, the nearest number that can be told.
    var nanoseconds: Int64 { Int64(TimeStride(self).nanoseconds) }
}

/// Calls a closure after a time, on a thread of its own.
@Sendable func callLater(_ time: Duration, _ call: @escaping @Sendable () -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + TimeStride(max(.zero, time)).timeInterval, execute: call)
}
