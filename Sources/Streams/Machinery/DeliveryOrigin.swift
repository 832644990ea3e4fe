import Synchronization

/// The origin of the value that the current thread delivers, for use at the end of the chain. A job of Moonlight sets itself as
/// the origin around each value that it sends; from that, the loop downstream knows which effects to drop when the job is
/// cancelled. An operator that delivers a value for another thread restores the origin that the value was sent with.
@usableFromInline package enum DeliveryOrigin {
    /// The origin of the delivery in progress; nil if there is none.
    @TaskLocal @usableFromInline package static var current: (any AnyObject & Sendable)?
    /// The number of deliveries in progress with an origin, on all threads. While it is 0, no look-up is needed.
    @usableFromInline static let count = Atomic<Int>(0)
    /// Whether an origin may be set.
    @inlinable @inline(__always) package static var isSet: Bool { count.load(ordering: .relaxed) != 0 }

    /// Calls a closure with `origin` as the origin of what it delivers; returns its result.
    @usableFromInline package static func with<Result>(_ origin: any AnyObject & Sendable, _ deliver: () -> Result) -> Result {
        count.wrappingAdd(1, ordering: .relaxed)
        defer { count.wrappingSubtract(1, ordering: .relaxed) }
        return $current.withValue(origin, operation: deliver)
    }

    /// Calls a closure without an origin for what it delivers.
    @usableFromInline package static func none(_ deliver: () -> Void) {
        if current == nil { deliver() } else { $current.withValue(nil, operation: deliver) }
    }
}
