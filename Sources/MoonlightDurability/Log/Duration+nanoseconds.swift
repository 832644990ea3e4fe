import Dispatch

extension Duration {
    /// The whole nanoseconds; the nearest that can be told of a duration of more than 292 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooMuch) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLong || isTooMuch ? (seconds < 0 ? .min : .max) : sum
    }
}

/// Calls a closure after a time, on a thread of its own.
@Sendable func callLater(_ time: Duration, _ call: @escaping @Sendable () -> Void) {
    let nanoseconds = Int(clamping: max(0, time.nanoseconds))
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: call)
}
