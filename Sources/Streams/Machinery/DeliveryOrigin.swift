import Synchronization

/// For whom the current thread is delivering, if somebody wants it known at the end of the chain. A job of Moonlight says so
/// around each value it sends; the loop, further down, then knows which effects to drop when the job is cancelled. An operator
/// that delivers what other threads have left to it does so for whom they delivered.
@usableFromInline package enum DeliveryOrigin {
    @TaskLocal @usableFromInline package static var current: (any AnyObject & Sendable)?
    /// How many threads have set it; nobody pays for a look-up while none has.
    @usableFromInline static let count = Atomic<Int>(0)
    /// Whether it may be set.
    @inlinable @inline(__always) package static var isSet: Bool { count.load(ordering: .relaxed) != 0 }

    /// Delivers for somebody.
    @usableFromInline package static func with<Result>(_ origin: any AnyObject & Sendable, _ deliver: () -> Result) -> Result {
        count.wrappingAdd(1, ordering: .relaxed)
        defer { count.wrappingSubtract(1, ordering: .relaxed) }
        return $current.withValue(origin, operation: deliver)
    }

    /// Delivers for nobody.
    @usableFromInline package static func none(_ deliver: () -> Void) {
        if current == nil { deliver() } else { $current.withValue(nil, operation: deliver) }
    }
}
