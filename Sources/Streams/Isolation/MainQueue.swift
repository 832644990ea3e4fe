import Dispatch

#if canImport(CDispatch)
    import CDispatch
#endif

/// Checks whether the caller runs on the main queue, and so on the main actor.
///
/// Libdispatch counts the main thread as on the main queue, except inside another queue's `sync`: there ``isCurrent`` is false,
/// and the caller takes the slower path. When an asynchronous `main` has given up the main thread, the thread that drains the
/// main queue counts.
@usableFromInline package enum MainQueue {
    #if canImport(CDispatch)
        // Sound: a constant that points to a constant text. Libdispatch gives every other queue a copy of its label, so that the
        // main queue alone has this pointer; reading a queue's label takes a quarter of the time of reading a queue's value.
        private nonisolated(unsafe) static let label = dispatch_queue_get_label(dispatch_get_main_queue())

        /// Indicates whether the caller runs on the main queue.
        @usableFromInline package static var isCurrent: Bool { dispatch_queue_get_label(nil) == label }
    #else
        private static let key: DispatchSpecificKey<Bool> = {
            let key = DispatchSpecificKey<Bool>()
            DispatchQueue.main.setSpecific(key: key, value: true)
            return key
        }()

        /// Indicates whether the caller runs on the main queue.
        @usableFromInline package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
    #endif
}
