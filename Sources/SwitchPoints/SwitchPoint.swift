/// The points at which a test can switch from one thread to another: every use of a lock or an atomic of the package.
///
/// It is part of Streams if that is built with `-DSCHEDULES`; a normal build contains neither this nor a check for it. A test
/// that forces schedules sets ``director``, which then decides at each of these points which of its threads runs. See
/// `Tests/SchedulesTests`.
@usableFromInline package enum SwitchPoint {
    /// Decides which thread runs.
    @usableFromInline package protocol Director: AnyObject, Sendable {
        /// Called when a thread is about to use state that threads share.
        func reached()
        /// Called when a thread has found a lock taken. Returns when the thread may try again.
        func waits(for lock: UnsafeRawPointer)
        /// Called when a lock has been released.
        func gaveBack(_ lock: UnsafeRawPointer)
        /// Called when a thread hands over work that another thread must do. Returns false if the caller is not one of the
        /// director's threads; then the director does not run the work.
        func start(_ work: @escaping @Sendable () -> Void) -> Bool
    }

    // Sound: it is set before the threads of a test start, and does not change until they have ended.
    nonisolated(unsafe) package static var director: (any Director)?
    @usableFromInline package static func reached() { director?.reached() }
    @usableFromInline package static func waits(for lock: UnsafeRawPointer) { director?.waits(for: lock) }
    @usableFromInline package static func gaveBack(_ lock: UnsafeRawPointer) { director?.gaveBack(lock) }
}
