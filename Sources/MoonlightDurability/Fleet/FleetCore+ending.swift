import Moonlight
import Streams

// The end of all members, and reports about them.
extension FleetCore {
    var isDraining: Bool { guarded.withLock { $0.residency.isDraining } }

    /// Refuses senders from now on, and ends members that are not in use.
    func drain() {
        change { guarded, actions in guarded.residency.drain(&actions) }
        let watchers = guarded.withLock { $0.watchers.values.flatMap { $0 } }
        for watcher in watchers { if let kept = watcher.takeKept() { leave(kept) } }
    }

    /// The members' work in flight.
    var inFlight: [FleetWork] {
        residents.flatMap { id, resident in resident.store.inFlight.map { FleetWork(id: id, work: $0) } }
    }

    /// Ends the members now, and those that are being woken once they are awake.
    func cancel() {
        drain()
        guarded.withLock { $0.isCancelled = true }
        for (_, resident) in residents { resident.store.cancel() }
    }

    private var residents: [(id: String, Resident)] {
        guarded.withLock { guarded in
            guarded.residency.entries.enumerated().compactMap { number, entry in
                entry.phase == .free || number >= guarded.residents.count ? nil : guarded.residents[number].map { (entry.id, $0) }
            }
        }
    }

    /// Waits until all members have ended and the storage is closed.
    func over() async {
        await withCheckedContinuation { waiter in
            let isOver = guarded.withLock { guarded in
                if !guarded.isOver { guarded.endWaiters.append(waiter) }
                return guarded.isOver
            }
            if isOver { waiter.resume() }
        }
    }

    func finish() async {
        await opening.close()
        let (watchers, waiters) = guarded.withLock { guarded in
            guarded.isOver = true
            defer { (guarded.watchers, guarded.endWaiters) = ([:], []) }
            return (guarded.watchers.values.flatMap { $0 }, guarded.endWaiters)
        }
        for watcher in watchers { watcher.finish() }
        for waiter in waiters { waiter.resume() }
    }

    func add(_ watcher: FleetWatcher<State>, of id: String) {
        let isOver = guarded.withLock { guarded in
            if !guarded.isOver { guarded.watchers[ExactText(id), default: []].append(watcher) }
            return guarded.isOver
        }
        if isOver { watcher.finish() }
    }

    func remove(_ watcher: FleetWatcher<State>, of id: String) {
        let old = guarded.withLock { guarded in
            let old = guarded.watchers[ExactText(id)]
            guarded.watchers[ExactText(id)]?.removeAll { $0 === watcher }
            if guarded.watchers[ExactText(id)]?.isEmpty ?? false { guarded.watchers[ExactText(id)] = nil }
            return old
        }
        discard(old)
    }

    /// Waits until no member is being woken or put to sleep.
    func still() async {
        await withCheckedContinuation { waiter in
            let isStill = guarded.withLock { guarded in
                if !guarded.residency.isStill { guarded.stillWaiters.append(waiter) }
                return guarded.residency.isStill
            }
            if isStill { waiter.resume() }
        }
    }

    /// Runs a closure of the storage, which may block, on the threads that read logs.
    func reading<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        do { return try await withTaskExecutorPreference(readers, operation: body) } catch {
            throw DurabilityError(wrapping: error)
        }
    }

    func look(_ id: String) -> (FleetEntry, Resident?)? {
        guarded.withLock { guarded in
            guard let entry = guarded.residency.entry(of: id), let place = guarded.residency.place(of: id) else { return nil }
            return (entry, place.number < guarded.residents.count ? guarded.residents[place.number] : nil)
        }
    }

    /// The ids of the members that are awake, in byte order.
    var awake: [ExactText] {
        guarded.withLock { guarded in
            guarded.residency.entries.filter { $0.phase == .awake || $0.phase == .drowsy }.map { ExactText($0.id) }
        }.sorted()
    }

    var counters: FleetCounters {
        guarded.withLock { guarded in
            var counters = guarded.counters
            let residency = guarded.residency
            counters.awake = residency.awakeCount
            counters.waking = residency.wakingCount
            counters.waiting = residency.linedCount
            counters.ending = residency.endingCount
            counters.timers = guarded.alarms.count
            return counters
        }
    }
}
