import Dispatch

/// Tells whether the caller runs on the main queue, and so on the main actor.
///
/// Libdispatch counts the main thread as on the main queue, except inside another queue's `sync`: there ``isCurrent`` is false,
/// and the caller takes the slower path. When an asynchronous `main` has given up the main thread, the thread that drains the
/// main queue counts.
@usableFromInline package enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller runs on the main queue.
    @usableFromInline package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
