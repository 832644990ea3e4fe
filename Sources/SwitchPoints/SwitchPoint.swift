/// The places where one thread can be stopped and another let go on: every lock and every atomic of the package.
///
/// Part of Streams when that is built with `-DSCHEDULES`; a normal build has none of this, and no check for it. A test that
/// wants to force races sets ``director``, which then decides at each of these places which of its threads runs. See
/// `Tests/SchedulesTests`.
@usableFromInline package enum SwitchPoint {
    /// Who decides.
    @usableFromInline package protocol Director: AnyObject, Sendable {
        /// A thread is about to touch what others touch.
        func reached()
        /// A thread has found a lock taken. Returns when it may look again.
        func waits(for lock: UnsafeRawPointer)
        /// A lock has been given back.
        func gaveBack(_ lock: UnsafeRawPointer)
        /// A thread hands work over that another one is to do. Returns false if the caller is none of the director's threads.
        func start(_ work: @escaping @Sendable () -> Void) -> Bool
    }

    // Sound: set before the threads of a test start, and not changed until they have ended.
    nonisolated(unsafe) package static var director: (any Director)?
    @usableFromInline package static func reached() { director?.reached() }
    @usableFromInline package static func waits(for lock: UnsafeRawPointer) { director?.waits(for: lock) }
    @usableFromInline package static func gaveBack(_ lock: UnsafeRawPointer) { director?.gaveBack(lock) }
}
