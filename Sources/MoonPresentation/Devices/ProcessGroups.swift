import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The process groups of running child processes. They are killed when this process exits, or when ``Restoration`` handles a
/// signal that ends it.
enum ProcessGroups {
    private static let room = 256
    // Sound: atomics, made once and never released.
    nonisolated(unsafe) private static let groups = {
        let groups = UnsafeMutablePointer<Atomic<Int32>>.allocate(capacity: room)
        for index in 0..<room { (groups + index).initialize(to: Atomic(0)) }
        return groups
    }()
    private static let isWatching = Atomic(false)

    /// Registers a group. At most 256 are registered at a time; further ones are ignored.
    static func add(_ group: Int32) {
        if !isWatching.exchange(true, ordering: .sequentiallyConsistent) { atexit { ProcessGroups.killAll() } }
        for index in 0..<room {
            let place = groups + index
            if place.pointee.compareExchange(expected: 0, desired: group, ordering: .sequentiallyConsistent).exchanged { return }
        }
    }

    /// Removes a group whose first process has ended.
    static func remove(_ group: Int32) {
        for index in 0..<room {
            let place = groups + index
            if place.pointee.compareExchange(expected: group, desired: 0, ordering: .sequentiallyConsistent).exchanged { return }
        }
    }

    /// Kills all groups. Async-signal-safe.
    static func killAll() {
        guard isWatching.load(ordering: .relaxed) else { return }
        for index in 0..<room {
            let group = (groups + index).pointee.exchange(0, ordering: .sequentiallyConsistent)
            if group > 0 { kill(-group, SIGKILL) }
        }
    }
}
