/// The origin of the value that the current thread delivers, for use at the end of the chain. A job of Moonlight sets itself as
/// the origin around each value that it sends; by it, the loop downstream finds the effects to drop when the job is cancelled. An
/// operator that delivers a value for another thread restores the value's origin.
///
/// It belongs to the thread, and is set only for the duration of a call: a task that is started meanwhile does not inherit it.
@usableFromInline package enum DeliveryOrigin {
    private static let word = ThreadWord()

    /// The origin of the delivery in progress; nil if there is none.
    @usableFromInline package static var current: AnyObject? {
        // Retained by the call that has set it.
        word.pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Indicates whether there is an origin.
    @usableFromInline package static var isSet: Bool { word.pointer != nil }

    /// Calls a closure with `origin` as the origin of its deliveries, or without one if that is nil; returns its result.
    @usableFromInline package static func with<Result>(_ origin: AnyObject?, _ deliver: () -> Result) -> Result {
        let before = word.pointer
        word.pointer = origin.map { Unmanaged.passUnretained($0).toOpaque() }
        defer { word.pointer = before }
        return withExtendedLifetime(origin, deliver)
    }

    /// Calls a closure without an origin for its deliveries.
    @usableFromInline package static func none(_ deliver: () -> Void) {
        if word.pointer == nil { deliver() } else { with(nil, deliver) }
    }
}
